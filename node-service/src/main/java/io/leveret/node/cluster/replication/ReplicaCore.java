package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.LiveMessages;
import io.leveret.node.cluster.replication.ReplicaMessage.SessionId;
import io.leveret.node.cluster.replication.ReplicaRecord.Event;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A mirror of one queue, from a start or the loss of leadership to the next leadership (PROTOCOL.md §6).
 *
 * <pre>
 * alone ──leader known──► Hello sent (again at each tick) ──Adopt──► in session: truncated, then events
 *   ▲                                                     ──CutBegin──► in session: events; compares range by range, backfilled
 *   │                                                     ──Survey──► shows what it has; brings what is wanted ──CutBegin──►
 *   └──── higher epoch · connection lost ◄─────────────────────────────┘
 * </pre>
 *
 * It refuses every epoch below the highest it heard of, and undoes nothing but by the leader's word. Owned by the queue's
 * executor. After a batch of inputs call {@link #flush()} once: it answers the leader.
 */
public final class ReplicaCore {
    private static final MessageId NOTHING = MessageId.ZERO;

    private static final int TICKS_TO_WAIT_MAX = 64;

    private final int self;
    private final long boot;
    private final long generation;
    private final ReplicaState state;
    private final LiveMessages live;
    private final ReplicaOutput output;
    private final Rules rules;
    private final Consumer<LiveMessage> released;

    private long hello;
    /** Hellos since the last session, and ticks until the next. */
    private int unheard;

    private int ticksToWait = 1;
    private long epoch;
    private int leader = ReplicaSet.NOBODY;
    private boolean isConnected;
    private @Nullable SessionId session;
    private boolean isStreaming;
    private MessageId committed = MessageId.ZERO;

    /** Records up to this one are on disk when the session's beginning is. */
    private long sessionRecords;

    private long controls;
    /** For each control message of the session that is not on disk yet: the count of records with it. */
    private final ArrayDeque<Long> controlRecords = new ArrayDeque<>();

    private long durableControls;
    private MessageId compareFrom = NOTHING;
    private MessageId compareTo = NOTHING;

    private MessageId answeredEnd = NOTHING;
    private MessageId answeredDurable = NOTHING;
    private long answeredControls = -1;
    private long answeredDurableControls = -1;

    /**
     * @param self the number of this node
     * @param boot of this node's process
     * @param generation of this replica
     * @param hello the number of the last Hello of this replica in this boot; 0 in a new boot
     */
    public ReplicaCore(int self, long boot, long generation, long hello, ReplicaState state, ReplicaOutput output) {
        this(self, boot, generation, hello, state, output, Rules.ALL);
    }

    ReplicaCore(
            int self, long boot, long generation, long hello, ReplicaState state, ReplicaOutput output, Rules rules) {
        this.self = self;
        this.boot = boot;
        this.generation = generation;
        this.hello = hello;
        this.state = state;
        this.live = state.queue().live();
        this.output = output;
        this.rules = rules;
        this.released = output::released;
    }

    /** The highest epoch heard of. */
    public long epoch() {
        return epoch;
    }

    /** The number of the last Hello, to begin with after a leadership in the same boot. */
    public long hello() {
        return hello;
    }

    /** Whether the leader's events reach this replica. */
    public boolean isStreaming() {
        return isStreaming;
    }

    // ---- metadata, connections, time

    /** Newer metadata of the queue. This replica is in it, with its boot and generation, and does not lead. */
    public void placement(ReplicaSet next) {
        if (next.epoch() < epoch && rules.has(Rule.EPOCHS_ARE_FENCED)) {
            return;
        }
        if (next.epoch() != epoch || next.leader() != leader) {
            epoch = next.epoch();
            leader = next.leader() == self ? ReplicaSet.NOBODY : next.leader();
            isConnected = false;
            endSession();
        }
        if (next.isInSync(self)) {
            state.dedupe().forgetFormer();
        }
    }

    /** There is a connection to the leader's node: a new one if there was one before. */
    public void connected(int node) {
        if (node == leader) {
            isConnected = true;
            unheard = 0;
            ticksToWait = 1;
            endSession();
            sayHello();
        }
    }

    public void disconnected(int node) {
        if (node == leader) {
            isConnected = false;
            endSession();
        }
    }

    /**
     * Time passes: a Hello that was not heard is said again, the longer it takes the more rarely. A new Hello voids the answer
     * to the one before, so a mirror that never waits longer than the answer needs would never get one.
     */
    public void tick() {
        if (session == null && --ticksToWait <= 0) {
            ticksToWait = Math.min(TICKS_TO_WAIT_MAX, 1 << unheard);
            sayHello();
        }
    }

    private void endSession() {
        session = null;
        isStreaming = false;
    }

    private void sayHello() {
        if (!isConnected || leader == ReplicaSet.NOBODY) {
            return;
        }
        hello++;
        unheard = Math.min(unheard + 1, 30);
        output.send(
                leader,
                new ReplicaMessage.Hello(
                        epoch,
                        new SessionId(boot, generation, hello),
                        state.ends().copy(),
                        state.baseEnd(),
                        state.tailIds()));
    }

    // ---- the leader's word

    /** From the node that leads, or did. */
    public void received(int node, ReplicaMessage.ToMirror message) {
        if (message.epoch() < epoch && rules.has(Rule.EPOCHS_ARE_FENCED)) {
            return;
        }
        if (message instanceof ReplicaMessage.Adopt adopt) {
            if (isMine(node, adopt)) {
                adopt(adopt);
            }
        } else if (message instanceof ReplicaMessage.CutBegin cut) {
            if (isMine(node, cut)) {
                beginCut(cut);
            }
        } else if (message instanceof ReplicaMessage.Survey survey) {
            if (isMine(node, survey)) {
                begin(survey.session());
                compareFrom = MessageId.ZERO;
                compareTo = survey.end();
                showNext();
            }
        } else if (node == leader && message.session().equals(session)) {
            inSession(message);
        }
    }

    /** Whether it answers the last Hello. */
    private boolean isMine(int node, ReplicaMessage.ToMirror message) {
        SessionId id = message.session();
        if (!rules.has(Rule.HELLO_IS_NUMBERED)) {
            return node == leader;
        }
        return node == leader
                && message.epoch() == epoch
                && id.boot() == boot
                && id.generation() == generation
                && id.hello() == hello;
    }

    private void begin(SessionId id) {
        unheard = 0;
        ticksToWait = 1;
        session = id;
        isStreaming = false;
        controls = 0;
        durableControls = 0;
        controlRecords.clear();
        answeredControls = -1;
    }

    private void adopt(ReplicaMessage.Adopt adopt) {
        begin(adopt.session());
        isStreaming = true;
        if (rules.has(Rule.MEMBER_IS_TRUNCATED)) {
            MessageId end = state.end();
            if (end.compareTo(adopt.point()) > 0) {
                state.truncate(adopt.point(), released);
            }
            if (rules.has(Rule.TRUNCATION_IS_JOURNALLED)) {
                state.journal(new ReplicaRecord.Truncated(adopt.point()), state.end(), output);
            }
        }
        sessionRecords = state.appendedCount();
        advance(adopt.committed());
    }

    private void beginCut(ReplicaMessage.CutBegin cut) {
        begin(cut.session());
        isStreaming = true;
        ReplicaRecord.CutBegun record = new ReplicaRecord.CutBegun(cut.end(), cut.ends(), cut.dedupe());
        MessageId endBefore = state.end();
        state.beginCut(record, released);
        state.fleeting(cut.fleeting().copy());
        state.journal(record, endBefore, output);
        sessionRecords = state.appendedCount();
        committed = NOTHING;
        compareFrom = MessageId.ZERO;
        compareTo = cut.end().epoch() == cut.epoch() ? cut.end() : new MessageId(cut.epoch(), 0);
        showNext();
    }

    private void inSession(ReplicaMessage.ToMirror message) {
        if (message instanceof ReplicaMessage.Events events) {
            take(events);
        } else if (message instanceof ReplicaMessage.Compared compared) {
            compared(compared);
        } else if (message instanceof ReplicaMessage.Backfill backfill) {
            backfill(backfill);
        } else if (message instanceof ReplicaMessage.Drop drop) {
            cut(new MessageId(0, 1), MessageId.ZERO, drop.ids(), new RunSet());
            control();
        } else if (message instanceof ReplicaMessage.Want want) {
            bring(want);
        }
    }

    private void take(ReplicaMessage.Events message) {
        if (!isStreaming) {
            return;
        }
        for (Event event : message.events()) {
            MessageId endBefore = state.end();
            if (event.id().compareTo(endBefore) > 0) {
                if (!isNext(endBefore, event.id())) {
                    // Something was dropped on the way, against the rules of the link: better a new session than a
                    // hole.
                    endSession();
                    return;
                }
                state.apply(event);
                state.journal(event, endBefore, output);
            }
        }
        advance(message.committed());
    }

    private static boolean isNext(MessageId end, MessageId id) {
        return id.index() == (id.epoch() == end.epoch() ? end.index() + 1 : 1);
    }

    private void advance(MessageId leaderCommitted) {
        if (leaderCommitted.compareTo(committed) > 0) {
            committed = leaderCommitted;
        }
        if (committed.compareTo(state.baseEnd()) > 0) {
            MessageId end = state.end();
            state.commit(committed.compareTo(end) < 0 ? committed : end, released, event -> {});
        }
    }

    // ---- comparison and backfill

    /** Shows the next range to the leader: as much as fits. */
    private void showNext() {
        if (session == null || compareFrom.compareTo(compareTo) > 0) {
            return;
        }
        MessageId to = compareTo;
        RunSet mine = state.liveIds(compareFrom, to);
        if (mine.runCount() > Reconciliation.RUNS_MAX) {
            mine = mine.part(0, Reconciliation.RUNS_MAX);
            to = mine.last();
        }
        // What is known only by another copy of the same publish was settled by nobody: that copy is what counts.
        RunSet known = state.known().within(compareFrom, to);
        known.removeAll(state.fleeting());
        known.removeAll(state.dedupe().copies());
        if (known.runCount() > Reconciliation.RUNS_MAX) {
            known = known.part(0, Reconciliation.RUNS_MAX);
            to = known.last();
            mine = mine.within(compareFrom, to);
        }
        output.send(leader, new ReplicaMessage.Held(epoch, session, compareFrom, to, mine, known));
    }

    private void compared(ReplicaMessage.Compared compared) {
        cut(compared.from(), compared.to(), compared.drop(), compared.known());
        control();
        compareFrom = after(compared.to());
        showNext();
    }

    private void cut(MessageId from, MessageId to, RunSet drop, RunSet known) {
        ReplicaRecord.Cut cut = new ReplicaRecord.Cut(from, to, drop, known);
        state.cut(cut, released);
        // What is written must not call known what a restart will not find.
        RunSet lasting = known.minus(LastingRecords.fleetingIds(state, from, to));
        state.journal(new ReplicaRecord.Cut(from, to, drop, lasting), state.end(), output);
    }

    private void backfill(ReplicaMessage.Backfill backfill) {
        for (MessageCopy each : backfill.copies()) {
            if (state.backfill(each)) {
                state.journal(new ReplicaRecord.Backfilled(each), state.end(), output);
            }
        }
        control();
    }

    private void control() {
        controls++;
        controlRecords.add(state.appendedCount());
    }

    private static MessageId after(MessageId id) {
        return id.index() == Long.MAX_VALUE
                ? new MessageId(id.epoch() + 1, 0)
                : new MessageId(id.epoch(), id.index() + 1);
    }

    // ---- merge-back

    private void bring(ReplicaMessage.Want want) {
        if (want.ids().isEmpty()) {
            compareFrom = after(want.to());
            showNext();
            return;
        }
        List<LiveMessage> wanted = new ArrayList<>();
        MessageId last = want.ids().last();
        MessageId next = want.ids().first();
        long bytes = 0;
        boolean isFull = false;
        while (!isFull) {
            LiveMessage held = live.next(new MessageId(next.epoch(), next.index() - 1));
            if (held == null || held.id().compareTo(last) > 0) {
                break;
            }
            if (want.ids().contains(held.id())) {
                wanted.add(held);
                bytes += held.bodyBytes();
                isFull = wanted.size() >= Reconciliation.WANTED_MAX || bytes >= Reconciliation.WANTED_BYTES_MAX;
            }
            next = after(held.id());
        }
        MessageId coveredTo = isFull ? wanted.get(wanted.size() - 1).id() : last;
        RunSet covered = want.ids().within(want.ids().first(), coveredTo);
        output.readForMerge(want.session(), covered, wanted);
    }

    /** The answer to {@link ReplicaOutput#readForMerge}: what could be read. */
    public void bodiesRead(SessionId readFor, RunSet covered, List<MessageCopy> copies) {
        if (readFor.equals(session)) {
            output.send(leader, new ReplicaMessage.Brought(epoch, readFor, covered, copies));
        }
    }

    /** A copy of a message that is in memory, for those who read. */
    public static MessageCopy copy(LiveMessage entry, Message message) {
        return MessageCopy.of(entry, message);
    }

    // ---- answers

    /** Answers the leader, if there is anything new. */
    public void flush() {
        if (session == null || !isStreaming) {
            return;
        }
        boolean isBegun = state.durableCount() >= sessionRecords || !rules.has(Rule.DISK_ANSWER_NEEDS_SESSION_ON_DISK);
        Long first = controlRecords.peekFirst();
        while (first != null && first <= state.durableCount()) {
            controlRecords.removeFirst();
            durableControls++;
            first = controlRecords.peekFirst();
        }
        MessageId end = state.end();
        MessageId durable = isBegun ? state.durableEnd() : NOTHING;
        boolean isNew = controls != answeredControls
                || durableControls != answeredDurableControls
                || !end.equals(answeredEnd)
                || !durable.equals(answeredDurable);
        if (isNew) {
            answeredEnd = end;
            answeredDurable = durable;
            answeredControls = controls;
            answeredDurableControls = durableControls;
            output.send(leader, new ReplicaMessage.Answer(epoch, session, end, durable, controls, durableControls));
        }
    }
}
