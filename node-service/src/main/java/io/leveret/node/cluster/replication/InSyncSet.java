package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Which replicas a commit waits for (PROTOCOL.md §5): those that metadata records as in sync, those whose join was proposed,
 * and the leader itself. Owned by one {@link LeaderCore}.
 */
final class InSyncSet {
    /** How finely lateness is seen: in parts of the deadline. */
    private static final int SAMPLES = 8;

    private final int self;
    private final Rules rules;
    private final Map<Integer, MirrorSession> sessions = new HashMap<>();
    /** Proposed joins, with the version that was proposed. */
    private final Map<Integer, PendingJoin> pendingJoins = new HashMap<>();
    /** Needed nodes without a session, since when. */
    private final Map<Integer, Long> absentSince = new HashMap<>();
    /** Needed nodes that have not caught up since their session began, since when: also over several sessions. */
    private final Map<Integer, Long> behindSince = new HashMap<>();
    /** Ends of the log at earlier times: what lies before one and is unanswered is at least that old. */
    private final ArrayDeque<Sample> samples = new ArrayDeque<>();
    /** For the test that takes the rule away: shrinks that were proposed and are taken for granted. */
    private final Set<Integer> assumedGone = new HashSet<>();

    private ReplicaSet placement;
    private List<MirrorSession> streams = List.of();

    private record PendingJoin(MirrorSession session, long version) {}

    private record Sample(long time, MessageId end) {}

    InSyncSet(int self, ReplicaSet placement, Rules rules) {
        this.self = self;
        this.placement = placement;
        this.rules = rules;
    }

    ReplicaSet placement() {
        return placement;
    }

    /** Metadata changed: sessions with former boots and generations are over, and so are joins that were not taken. */
    void placement(ReplicaSet next) {
        placement = next;
        pendingJoins.values().removeIf(join -> join.version() < next.version());
        sessions.values().removeIf(each -> !isRecorded(each));
        restream();
    }

    private boolean isRecorded(MirrorSession session) {
        ReplicaSet.Member member = placement.member(session.node());
        return member != null
                && (!rules.has(Rule.SESSION_NEEDS_BOOT_AND_GENERATION)
                        || (member.boot() == session.id.boot() && member.generation() == session.id.generation()));
    }

    @Nullable
    MirrorSession session(int node) {
        return sessions.get(node);
    }

    Collection<MirrorSession> sessions() {
        return Collections.unmodifiableCollection(sessions.values());
    }

    /** Sessions that get events. The list does not change; another takes its place. */
    List<MirrorSession> streams() {
        return streams;
    }

    void open(MirrorSession session) {
        sessions.put(session.node(), session);
        absentSince.remove(session.node());
        restream();
    }

    void close(int node) {
        if (sessions.remove(node) != null) {
            restream();
        }
    }

    void restream() {
        streams = sessions.values().stream().filter(MirrorSession::isStreaming).toList();
    }

    boolean isNeeded(int node) {
        return node == self
                || (placement.isInSync(node) && !assumedGone.contains(node))
                || (pendingJoins.containsKey(node) && rules.has(Rule.PENDING_JOIN_IS_NEEDED));
    }

    boolean isPendingJoin(int node) {
        return pendingJoins.containsKey(node);
    }

    /** Whether a Hello of the node is to be adopted. */
    boolean isAdopted(int node) {
        return placement.isInSync(node) || (isPendingJoin(node) && rules.has(Rule.PENDING_JOIN_IS_ADOPTED));
    }

    void joinProposed(MirrorSession session) {
        pendingJoins.put(session.node(), new PendingJoin(session, placement.version()));
    }

    /** Joins that metadata has neither taken nor refused: the same command again does no harm, and ends the doubt. */
    void forEachPendingJoin(BiConsumer<MirrorSession, Long> visitor) {
        pendingJoins.values().forEach(join -> visitor.accept(join.session(), join.version()));
    }

    /** The last event that all needed replicas have received. @param own the leader's */
    MessageId received(MessageId own) {
        return least(own, false);
    }

    /** The last event that all needed replicas have on disk. @param own the leader's */
    MessageId durable(MessageId own) {
        return least(own, true);
    }

    private MessageId least(MessageId own, boolean isOnDisk) {
        MessageId least = own;
        int behind = 0;
        List<ReplicaSet.Member> members = placement.members();
        for (int at = 0; at < members.size(); at++) {
            int node = members.get(at).node();
            if (node == self || !isNeeded(node)) {
                continue;
            }
            MirrorSession session = sessions.get(node);
            MessageId its = session == null || !session.isStreaming()
                    ? MessageId.ZERO
                    : isOnDisk ? session.durable : session.received;
            if (its.compareTo(least) < 0) {
                behind++;
                if (rules.has(Rule.COMMIT_NEEDS_ALL) || 2 * behind >= members.size()) {
                    least = its;
                }
            }
        }
        return least;
    }

    /** Remembers the end of the log at a time. */
    void sample(long now, MessageId end, long deadline) {
        if (samples.isEmpty() || now - samples.getLast().time() >= deadline / SAMPLES) {
            samples.add(new Sample(now, end));
        }
        while (samples.size() > 1 && now - second().time() >= deadline) {
            samples.removeFirst();
        }
    }

    private Sample second() {
        var each = samples.iterator();
        each.next();
        return each.next();
    }

    /**
     * Whether a needed mirror left an event unanswered for too long; silence alone is no fault.
     *
     * @param isWaiting something waits for the mirror
     */
    boolean isLate(int node, long now, long deadline, boolean isWaiting) {
        MirrorSession session = sessions.get(node);
        if (session == null || !session.isStreaming()) {
            long since = absentSince.computeIfAbsent(node, absent -> now);
            return isWaiting && now - since >= deadline;
        }
        Sample oldest = samples.peekFirst();
        boolean isBehind = oldest != null
                && now - oldest.time() >= deadline
                && (session.received.compareTo(oldest.end()) < 0 || session.durable.compareTo(oldest.end()) < 0);
        if (!isBehind) {
            session.hasCaughtUp = true;
            behindSince.remove(node);
            return false;
        }
        // What it answered in an earlier session counts nothing in this one: it has the time that an event has.
        return session.hasCaughtUp || now - behindSince.computeIfAbsent(node, behind -> now) >= deadline;
    }

    void shrinkProposed(int node) {
        if (!rules.has(Rule.SHRINK_COUNTS_WHEN_APPLIED)) {
            assumedGone.add(node);
        }
    }
}
