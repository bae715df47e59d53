package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.LiveMessages;
import io.leveret.node.broker.queue.QueueEvent;
import io.leveret.node.cluster.replication.MirrorSession.Stage;
import io.leveret.node.cluster.replication.ReplicaMessage.SessionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a leader makes its mirrors like itself (PROTOCOL.md §6 to §8): adopts members, cuts and compares all others, merges
 * what abandoned ones have more, backfills, and proposes joins. The stages are those of {@link MirrorSession}.
 *
 * <p>A part of {@link LeaderCore}. Bounds: for each mirror one range of at most {@link #RUNS_MAX} runs and one backfill at a
 * time; run sets of what is missing.
 */
final class Reconciliation {
    /** Runs in one range: some 30 kB, and work that does not hold up the queue. */
    static final int RUNS_MAX = 4096;
    /** Messages asked for at once in a merge. */
    static final int WANTED_MAX = 256;
    /** Of bodies that are brought at once, the last one aside. */
    static final long WANTED_BYTES_MAX = 1 << 20;
    /** Backfills that may be unanswered: one on its way while one is being written. */
    private static final int BACKFILLS_MAX = 2;

    private final LeaderCore leader;
    private final ReplicaState state;
    private final LiveMessages live;
    private final InSyncSet inSync;
    private final LeaderOutput output;
    private final Rules rules;
    /** sync_queue was asked for, or the mode is automatic. */
    private boolean isSynchronising;

    Reconciliation(LeaderCore leader, ReplicaState state, InSyncSet inSync, LeaderOutput output, Rules rules) {
        this.leader = leader;
        this.state = state;
        this.live = state.queue().live();
        this.inSync = inSync;
        this.output = output;
        this.rules = rules;
        this.isSynchronising = leader.settings().isSyncAutomatic() || HandOver.isSyncWanted(state, inSync.placement());
    }

    /** Whether sync_queue was asked for, and is not done. */
    boolean isSyncWanted() {
        return isSynchronising && !leader.settings().isSyncAutomatic();
    }

    void received(int node, ReplicaMessage.ToLeader message) {
        if (message instanceof ReplicaMessage.Hello hello) {
            hello(node, hello);
            return;
        }
        MirrorSession session = inSync.session(node);
        if (session == null) {
            return;
        }
        if (!session.id.equals(message.session()) && rules.has(Rule.SESSION_NEEDS_BOOT_AND_GENERATION)) {
            return;
        }
        if (message instanceof ReplicaMessage.Answer answer) {
            answered(session, answer);
        } else if (message instanceof ReplicaMessage.Held held) {
            if (session.stage == Stage.SURVEYED) {
                survey(session, held);
            } else {
                compare(session, held);
            }
        } else if (message instanceof ReplicaMessage.Brought brought) {
            merge(session, brought);
        }
    }

    // ---- hello

    private void hello(int node, ReplicaMessage.Hello hello) {
        SessionId id = hello.session();
        ReplicaSet.Member member = inSync.placement().member(node);
        if (member == null) {
            return;
        }
        boolean isRecorded = member.boot() == id.boot() && member.generation() == id.generation();
        if (!isRecorded && rules.has(Rule.SESSION_NEEDS_BOOT_AND_GENERATION)) {
            return;
        }
        MirrorSession former = inSync.session(node);
        if (former != null && former.id.boot() == id.boot() && former.id.hello() >= id.hello()) {
            return;
        }
        if (inSync.isAdopted(node)) {
            adopt(new MirrorSession(node, id, Stage.ADOPTED), hello);
        } else if (member.isAbandoned() && rules.has(Rule.ABANDONED_IS_MERGED)) {
            MirrorSession session = new MirrorSession(node, id, Stage.SURVEYED);
            session.limit = limit();
            inSync.open(session);
            output.send(node, new ReplicaMessage.Survey(leader.epoch(), id, session.limit));
        } else {
            MirrorSession session = new MirrorSession(node, id, Stage.CUT);
            inSync.open(session);
            beginCut(session);
        }
    }

    /** The id above all that is compared: events of this epoch after it come from this leader. */
    private MessageId limit() {
        MessageId end = state.end();
        return end.epoch() == leader.epoch() ? end : new MessageId(leader.epoch(), 0);
    }

    private void adopt(MirrorSession session, ReplicaMessage.Hello hello) {
        MessageId point = sharedPoint(hello);
        if (rules.has(Rule.MEMBER_IS_TRUNCATED)
                && (!state.ends().has(hello.baseEnd()) || point.compareTo(state.baseEnd()) < 0)) {
            throw new IllegalStateException("member " + session.node() + " shares events up to " + point + " and holds "
                    + hello.baseEnd() + " as committed; the leader's base ends at " + state.baseEnd());
        }
        session.received = point.compareTo(state.end()) < 0 ? point : state.end();
        session.isCompared = true;
        inSync.open(session);
        output.send(session.node(), new ReplicaMessage.Adopt(leader.epoch(), session.id, point, leader.committed()));
        List<MirrorSession> alone = List.of(session);
        state.forEachAfter(point, event -> output.stream(event, alone));
    }

    /** The mirror's last event that this leader has. */
    private MessageId sharedPoint(ReplicaMessage.Hello hello) {
        MessageId[] point = {hello.baseEnd()};
        if (!rules.has(Rule.MEMBER_IS_TRUNCATED)) {
            return hello.ends().last();
        }
        hello.tail().forEachRun((fromEpoch, fromIndex, toEpoch, toIndex) -> {
            long shared = Math.min(toIndex, state.ends().of(fromEpoch));
            if (shared >= fromIndex) {
                point[0] = new MessageId(fromEpoch, shared);
            }
        });
        return point[0];
    }

    private void beginCut(MirrorSession session) {
        session.stage = Stage.CUT;
        isSynchronising |= leader.settings().isSyncAutomatic();
        session.joinAfter = state.end();
        session.limit = limit();
        inSync.restream();
        output.send(
                session.node(),
                new ReplicaMessage.CutBegin(
                        leader.epoch(),
                        session.id,
                        state.end(),
                        leader.committed(),
                        state.ends().copy(),
                        state.dedupe().copy(),
                        state.fleeting().copy()));
    }

    // ---- comparison

    private void compare(MirrorSession session, ReplicaMessage.Held held) {
        MessageId[] to = {held.to()};
        RunSet mine = liveUpTo(held.from(), held.to(), to);
        RunSet its = held.live().within(held.from(), to[0]);
        RunSet missing = mine.minus(its);
        RunSet drop = its.minus(mine);
        RunSet known = state.known().within(held.from(), to[0]);
        if (rules.has(Rule.MISSING_IS_NOT_KNOWN)) {
            known.removeAll(missing);
        }
        session.missing.addAll(missing);
        session.isCompared = to[0].compareTo(session.limit) >= 0;
        if (rules.has(Rule.JOIN_NEEDS_COMMITTED_COMPARISON)) {
            session.joinAfter = state.end();
        }
        if (isAbandoned(session.node())) {
            session.laterDrop.addAll(drop);
            drop = new RunSet();
        }
        session.controls++;
        output.send(
                session.node(),
                new ReplicaMessage.Compared(
                        leader.epoch(), session.id, session.controls, held.from(), to[0], drop, known));
        pump(session);
    }

    private boolean isAbandoned(int node) {
        ReplicaSet.Member member = inSync.placement().member(node);
        return member != null && member.isAbandoned();
    }

    /** The live ids from..to, but not more runs than a message bears. @param end set to where it had to stop */
    private RunSet liveUpTo(MessageId from, MessageId to, MessageId[] end) {
        RunSet all = state.liveIds(from, to);
        if (all.runCount() > RUNS_MAX) {
            all = all.part(0, RUNS_MAX);
            end[0] = all.last();
        }
        return all;
    }

    // ---- backfill

    /** Starts to send what the mirror lacks, or the next part of it. */
    private void pump(MirrorSession session) {
        session.isSynchronising =
                isSynchronising && session.stage == Stage.CUT && !(session.isCompared && session.missing.isEmpty());
        if (!isSynchronising
                || session.stage != Stage.CUT
                || !session.isCompared
                || session.isReading
                || session.controls - session.answeredControls >= BACKFILLS_MAX) {
            return;
        }
        List<LiveMessage> wanted = new ArrayList<>();
        long bytes = 0;
        MessageId after = MessageId.ZERO;
        while (wanted.size() < leader.settings().syncBatchMessages()
                && bytes < leader.settings().syncBatchBytes()) {
            LiveMessage next = nextMissing(session.missing, after);
            if (next == null) {
                break;
            }
            after = next.id();
            wanted.add(next);
            bytes += next.bodyBytes();
        }
        if (!wanted.isEmpty()) {
            session.isReading = true;
            output.readForBackfill(session, wanted);
        }
    }

    /** The first missing message after an id. One that was settled is not sent: it waits for the commit of that. */
    private @Nullable LiveMessage nextMissing(RunSet missing, MessageId after) {
        MessageId from = after;
        while (true) {
            MessageId candidate = missing.firstAfter(from);
            if (candidate == null) {
                return null;
            }
            LiveMessage held = live.next(new MessageId(candidate.epoch(), candidate.index() - 1));
            if (held == null || missing.contains(held.id())) {
                return held;
            }
            from = held.id();
        }
    }

    void bodiesRead(MirrorSession session, List<MessageCopy> copies) {
        session.isReading = false;
        if (inSync.session(session.node()) != session) {
            return;
        }
        List<MessageCopy> sent = new ArrayList<>(copies.size());
        for (MessageCopy each : copies) {
            if (live.contains(each.id()) && session.missing.contains(each.id())) {
                session.missing.remove(each.id());
                sent.add(each);
            }
        }
        if (!sent.isEmpty()) {
            session.controls++;
            output.send(
                    session.node(), new ReplicaMessage.Backfill(leader.epoch(), session.id, session.controls, sent));
        }
    }

    void synchronise(boolean isWanted) {
        isSynchronising = isWanted;
        inSync.sessions().forEach(this::pump);
    }

    void syncModeChanged(boolean wasAutomatic, boolean isAutomatic) {
        if (wasAutomatic != isAutomatic) {
            isSynchronising = isAutomatic;
        }
    }

    /** An event is committed: what it settled is no longer missing anywhere. */
    void committed(ReplicaRecord.Event event) {
        for (MirrorSession session : inSync.streams()) {
            if (session.missing.isEmpty()) {
                continue;
            }
            if (event instanceof ReplicaRecord.Queued queued && queued.event() instanceof QueueEvent.Settled settled) {
                session.missing.removeAll(RunSet.of(settled.ids()));
            } else if (event instanceof ReplicaRecord.Purged purged) {
                session.missing.removeAll(RunSet.of(purged.event().ids()));
            }
        }
    }

    // ---- merge-back

    private void survey(MirrorSession session, ReplicaMessage.Held held) {
        RunSet settledThere = held.known().minus(held.live()).within(held.from(), held.to());
        if (rules.has(Rule.MERGE_SETTLES_WHAT_IS_SETTLED_THERE)) {
            RunSet fresh = settledThere.minus(state.known());
            if (!fresh.isEmpty()) {
                leader.put(new ReplicaRecord.Learned(leader.nextId(), fresh));
            }
            RunSet settled = notOut(settledThere.intersection(state.liveIds(held.from(), held.to())));
            if (!settled.isEmpty()) {
                leader.settleElsewhere(settled);
            }
        }
        session.wanted = held.live().within(held.from(), held.to());
        if (rules.has(Rule.MERGE_SKIPS_KNOWN)) {
            session.wanted.removeAll(state.known());
        } else {
            session.wanted.removeAll(state.liveIds(held.from(), held.to()));
        }
        session.wantedTo = held.to();
        want(session);
    }

    /** What is out for delivery stays, and so does what this epoch put in: the other cannot know better. */
    private RunSet notOut(RunSet ids) {
        RunSet rest = new RunSet();
        ids.forEachRun((fromEpoch, fromIndex, toEpoch, toIndex) -> {
            for (long at = fromIndex; at <= toIndex; at++) {
                MessageId id = new MessageId(fromEpoch, at);
                if (fromEpoch < leader.epoch() && live.isReady(id)) {
                    rest.add(id);
                }
            }
        });
        return rest;
    }

    private void want(MirrorSession session) {
        // Run by run: a run of a million ids is brought as far as the mirror cares to at once.
        RunSet next = session.wanted.part(0, WANTED_MAX);
        boolean isSurveyed = next.isEmpty() && session.wantedTo.compareTo(session.limit) >= 0;
        if (isSurveyed) {
            beginCut(session);
        } else {
            output.send(session.node(), new ReplicaMessage.Want(leader.epoch(), session.id, session.wantedTo, next));
        }
    }

    private void merge(MirrorSession session, ReplicaMessage.Brought brought) {
        if (session.stage != Stage.SURVEYED) {
            return;
        }
        RunSet duplicates = new RunSet();
        RunSet twins = new RunSet();
        Set<Origin> merged = new HashSet<>();
        for (MessageCopy each : brought.copies()) {
            if (state.known().contains(each.id()) && rules.has(Rule.MERGE_SKIPS_KNOWN)) {
                continue;
            }
            Origin origin = each.origin();
            boolean isDuplicate = origin != null && (isHeld(origin) || merged.contains(origin));
            if (isDuplicate && rules.has(Rule.MERGE_SKIPS_DUPLICATES)) {
                boolean isLasting = each.message().isPersistent() && state.isDurable();
                (isLasting ? duplicates : twins).add(each.id());
                continue;
            }
            leader.put(new ReplicaRecord.Merged(leader.nextId(), each));
            output.merged(each.id());
            if (origin != null) {
                merged.add(origin);
            }
        }
        if (!duplicates.isEmpty()) {
            leader.settleDuplicates(duplicates);
        }
        if (!twins.isEmpty()) {
            leader.put(new ReplicaRecord.Twins(leader.nextId(), twins));
        }
        session.wanted.removeAll(brought.covered());
        want(session);
    }

    private boolean isHeld(Origin origin) {
        Dedupe dedupe = state.dedupe();
        MessageId held = dedupe.held(origin);
        if (held != null && (state.known().contains(held) || !rules.has(Rule.DEDUPE_COUNTS_KNOWN_ONLY))) {
            return true;
        }
        MessageId resent = dedupe.resent(origin);
        return resent != null && state.known().contains(resent);
    }

    // ---- answers and joins

    private void answered(MirrorSession session, ReplicaMessage.Answer answer) {
        session.hasAnswered = true;
        MessageId end = state.end();
        session.received = later(session.received, earlier(answer.received(), end));
        session.durable = later(session.durable, earlier(answer.durable(), end));
        session.answeredControls = Math.max(session.answeredControls, answer.controls());
        session.durableControls = Math.max(session.durableControls, answer.durableControls());
        pump(session);
    }

    private static MessageId later(MessageId a, MessageId b) {
        return a.compareTo(b) >= 0 ? a : b;
    }

    private static MessageId earlier(MessageId a, MessageId b) {
        return a.compareTo(b) <= 0 ? a : b;
    }

    void tick() {
        inSync.sessions().forEach(this::pump);
        inSync.forEachPendingJoin((session, version) -> output.proposeJoin(session, leader.epoch(), version));
        for (MirrorSession each : inSync.streams()) {
            propose(each, true);
        }
        if (isSyncWanted() && isSynchronised()) {
            isSynchronising = false;
        }
    }

    /** A mirror that is not heard of yet, as at the beginning of an epoch, is not synchronised. */
    private boolean isSynchronised() {
        return inSync.placement().liveMirrors() <= inSync.sessions().size()
                && inSync.sessions().stream().allMatch(each -> each.isCompared && each.missing.isEmpty());
    }

    /** Proposes the join of every mirror that has become complete. */
    void proposeJoins() {
        List<MirrorSession> streams = inSync.streams();
        for (int at = 0; at < streams.size(); at++) {
            propose(streams.get(at), false);
        }
    }

    private void propose(MirrorSession session, boolean isTick) {
        ReplicaSet placement = inSync.placement();
        int node = session.node();
        if (placement.isInSync(node) || !placement.isOpened() || inSync.isPendingJoin(node)) {
            return;
        }
        ReplicaSet.Member member = placement.member(node);
        if (member == null || !member.isLive() || !isReady(session)) {
            return;
        }
        if (member.isAbandoned() && rules.has(Rule.ABANDONED_IS_MERGED)) {
            if (isTick && leader.durable().compareTo(session.joinAfter) >= 0) {
                output.proposeMergeDone(node, leader.epoch(), placement.version());
            }
        } else if (!session.laterDrop.isEmpty()) {
            session.controls++;
            output.send(node, new ReplicaMessage.Drop(leader.epoch(), session.id, session.controls, session.laterDrop));
            session.laterDrop = new RunSet();
        } else {
            inSync.joinProposed(session);
            output.proposeJoin(session, leader.epoch(), placement.version());
        }
    }

    private boolean isReady(MirrorSession session) {
        MessageId committed = leader.committed();
        boolean isCutCommitted = committed.compareTo(session.joinAfter) >= 0;
        boolean isCaughtUp = session.received.compareTo(later(committed, session.joinAfter)) >= 0;
        boolean isOnDisk =
                session.durable.compareTo(leader.durable()) >= 0 && session.durableControls == session.controls;
        return session.isStreaming()
                && (session.isComplete() || !rules.has(Rule.JOIN_NEEDS_BACKFILL))
                && (isCutCommitted || !rules.has(Rule.JOIN_NEEDS_COMMITTED_CUT))
                && (isCaughtUp || !rules.has(Rule.JOIN_NEEDS_ALL_RECEIVED))
                && (isOnDisk || !rules.has(Rule.JOIN_NEEDS_FSYNC));
    }

    /** When every replica was made like this one, nobody can bring a twin or a lost message any more. */
    void thaw() {
        Dedupe dedupe = state.dedupe();
        if ((dedupe.frozenEpoch() == 0 && !dedupe.hasResent())
                || !inSync.placement().isWhole()) {
            return;
        }
        for (ReplicaSet.Member each : inSync.placement().members()) {
            MirrorSession session = inSync.session(each.node());
            if (each.node() != inSync.placement().leader() && (session == null || !session.hasAnswered)) {
                return;
            }
        }
        leader.put(new ReplicaRecord.Thaw(leader.nextId()));
    }
}
