package io.leveret.node.cluster.peer;

/**
 * What kind of traffic a frame is. Each class has its own order and its own credit, so that a full class holds up no other.
 * Frames of {@link #BACKFILL} never overtake frames of {@link #LIVE}.
 */
public enum PeerClass {
    /** Replication: live events, answers, sessions. */
    LIVE(16 << 20),
    /** What clients do with queues led elsewhere: publishes, deliveries, settles, requests. */
    CLIENT(16 << 20),
    /** Older messages on their way to a mirror that lacks them. */
    BACKFILL(4 << 20);

    static final int COUNT = values().length;

    /** Bytes under way without having been released by the receiver; the sender may exceed it by one segment. */
    final int windowBytes;

    PeerClass(int windowBytes) {
        this.windowBytes = windowBytes;
    }
}
