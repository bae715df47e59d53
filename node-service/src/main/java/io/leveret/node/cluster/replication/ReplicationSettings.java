package io.leveret.node.cluster.replication;

import java.util.concurrent.TimeUnit;

/**
 * How a node replicates, but for what policies say.
 *
 * @param mirrorDeadlineNanos how long a member of the in-sync set may leave an event unanswered
 * @param bodyBytesMax what the bodies of all queues may take in memory
 * @param tickNanos how often time passes for replicas
 */
public record ReplicationSettings(long mirrorDeadlineNanos, long bodyBytesMax, long tickNanos) {
    /** A share of the heap that leaves room for the index of a long queue, for what is under way, and for the collector. */
    private static final double HEAP_SHARE = 0.2;

    /** The defaults, for the heap of this process. */
    public static ReplicationSettings standard() {
        return new ReplicationSettings(
                TimeUnit.SECONDS.toNanos(5),
                (long) (Runtime.getRuntime().maxMemory() * HEAP_SHARE),
                TimeUnit.MILLISECONDS.toNanos(500));
    }
}
