package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.cluster.replication.ReplicaMessage.SessionId;

/**
 * A mirror as its leader sees it, from one Hello to the next. The stages:
 *
 * <pre>
 * Hello of a needed mirror      ──► ADOPTED   has all that is committed; gets the leader's events
 * Hello of an abandoned one     ──► SURVEYED  shows what it has, no events yet ──► CUT
 * Hello of any other            ──► CUT       gets the leader's events; what is older is compared, then backfilled
 * </pre>
 *
 * Owned by the queue's executor.
 */
public final class MirrorSession {
    /** See the class. */
    enum Stage {
        ADOPTED,
        SURVEYED,
        CUT
    }

    private final int node;
    final SessionId id;
    Stage stage;

    MessageId received = MessageId.ZERO;
    MessageId durable = MessageId.ZERO;
    boolean hasAnswered;
    /** Once in this session it lacked nothing for longer than the mirror deadline. */
    boolean hasCaughtUp;

    /** Control messages sent, received and on the mirror's disk. */
    long controls;

    long answeredControls;
    long durableControls;

    /** What lies after it comes from this leader and is not compared. */
    MessageId limit = MessageId.ZERO;
    /** It may join when all up to here is committed: the base of a member must be. */
    MessageId joinAfter = MessageId.ZERO;
    /** All ranges were compared. */
    boolean isCompared;
    /** Held by the leader and not by the mirror; shrinks by what is sent and by committed settles. */
    RunSet missing = new RunSet();
    /** Bodies are being read to be sent. */
    boolean isReading;
    /** It lacks messages, and they are being sent: not so while ha-sync-mode is manual and nobody asked. */
    boolean isSynchronising;
    /** What an abandoned mirror holds too much: dropped only when all it had is safe elsewhere. */
    RunSet laterDrop = new RunSet();

    /** Merge-back: asked for and not yet brought, in the range up to {@code wantedTo}. */
    RunSet wanted = new RunSet();

    MessageId wantedTo = MessageId.ZERO;

    MirrorSession(int node, SessionId id, Stage stage) {
        this.node = node;
        this.id = id;
        this.stage = stage;
    }

    public int node() {
        return node;
    }

    public SessionId id() {
        return id;
    }

    /** Whether events go to it. */
    boolean isStreaming() {
        return stage != Stage.SURVEYED;
    }

    /** How many messages it still lacks. */
    public long missingCount() {
        return missing.size();
    }

    /** Everything it lacked was sent and received. */
    boolean isComplete() {
        return isStreaming() && isCompared && missing.isEmpty() && !isReading && answeredControls == controls;
    }
}
