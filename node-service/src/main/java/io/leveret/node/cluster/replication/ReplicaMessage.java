package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import java.util.List;

/**
 * What a leader and a mirror of one queue say to each other (PROTOCOL.md §6). The frame around it names the incarnation of
 * the queue.
 *
 * <pre>
 * member of the in-sync set:   Hello ──►  ◄── Adopt, Events…            Answer… ──►
 * any other:                   Hello ──►  ◄── CutBegin, Events…
 *                              Held ──►   ◄── Compared                  (range by range)
 *                                         ◄── Backfill… , Drop          Answer… ──►
 * abandoned, before its cut:   Hello ──►  ◄── Survey
 *                              Held ──►   ◄── Want    Brought ──►       (range by range), then as any other
 * </pre>
 *
 * All but {@link Backfill} need the order in which they were sent; Backfill may be overtaken by the others.
 */
public sealed interface ReplicaMessage {
    /** The epoch of the leader that is meant, or that speaks. */
    long epoch();

    /** From a mirror to its leader. */
    sealed interface ToLeader extends ReplicaMessage {
        /** The session it belongs to: the number of the mirror's hello. */
        SessionId session();
    }

    /** From a leader to a mirror. */
    sealed interface ToMirror extends ReplicaMessage {
        /** The hello that opened the session. A mirror listens to its last hello's session only. */
        SessionId session();
    }

    /**
     * Names a session.
     *
     * @param boot of the mirror's node
     * @param generation of the mirror
     * @param hello 1, 2, 3 … within the boot: never used again
     */
    record SessionId(long boot, long generation, long hello) {}

    /**
     * The mirror asks for a session.
     *
     * @param ends which events it has applied
     * @param baseEnd its last event that it knows to be committed
     * @param tail the events after it
     */
    record Hello(long epoch, SessionId session, Ends ends, MessageId baseEnd, RunSet tail) implements ToLeader {}

    /** A member keeps events up to the point and undoes the rest; the leader's events follow. */
    record Adopt(long epoch, SessionId session, MessageId point, MessageId committed) implements ToMirror {}

    /**
     * Live events follow from {@code end}; what is older is compared. The mirror begins with its first Held.
     *
     * @param fleeting ids that the leader knows only while it holds a transient twin
     */
    record CutBegin(
            long epoch,
            SessionId session,
            MessageId end,
            MessageId committed,
            Ends ends,
            Dedupe dedupe,
            RunSet fleeting)
            implements ToMirror {}

    /** Merge-back: the mirror is to show what it holds up to {@code end}, before it is cut. */
    record Survey(long epoch, SessionId session, MessageId end) implements ToMirror {}

    /** Events in order. With none it tells how far all is committed. */
    record Events(long epoch, SessionId session, MessageId committed, List<ReplicaRecord.Event> events)
            implements ToMirror {}

    /** What the mirror holds and knows in from..to. */
    record Held(long epoch, SessionId session, MessageId from, MessageId to, RunSet live, RunSet known)
            implements ToLeader {}

    /**
     * The answer to a Held, for from..to, which may end earlier than what was asked.
     *
     * @param control counts Compared, Backfill and Drop of the session
     */
    record Compared(
            long epoch, SessionId session, long control, MessageId from, MessageId to, RunSet drop, RunSet known)
            implements ToMirror {}

    /** Merge-back: the leader asks for messages; with none it is done up to {@code to}. */
    record Want(long epoch, SessionId session, MessageId to, RunSet ids) implements ToMirror {}

    /** Merge-back: messages that were wanted. Those of the covered ids that are not here do not exist. */
    record Brought(long epoch, SessionId session, RunSet covered, List<MessageCopy> copies) implements ToLeader {}

    /** Messages that the mirror lacks. */
    record Backfill(long epoch, SessionId session, long control, List<MessageCopy> copies) implements ToMirror {}

    /** What an abandoned mirror kept until its messages were safe, and may drop now. */
    record Drop(long epoch, SessionId session, long control, RunSet ids) implements ToMirror {}

    /**
     * How far the mirror is.
     *
     * @param received last event received
     * @param durable last event on disk, of this session; ZERO before its beginning is on disk
     * @param controls how many of the session's control messages were received
     * @param durableControls and are on disk
     */
    record Answer(
            long epoch, SessionId session, MessageId received, MessageId durable, long controls, long durableControls)
            implements ToLeader {}
}
