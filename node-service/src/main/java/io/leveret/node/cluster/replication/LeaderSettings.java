package io.leveret.node.cluster.replication;

/**
 * What policy and configuration say about replicating one queue.
 *
 * @param inSyncMin ha-min-in-sync: publishes are refused while fewer replicas are in sync; 1: no such demand
 * @param isSyncAutomatic ha-sync-mode
 * @param syncBatchMessages ha-sync-batch-size: the most messages in one backfill
 * @param syncBatchBytes the most bytes of bodies in one backfill, but for a single larger message
 * @param mirrorDeadlineNanos how long a member of the in-sync set may leave an event unanswered
 * @param tailEventsMax uncommitted events at which publishers are pushed back
 * @param tailBytesMax bytes of uncommitted events at which publishers are pushed back
 */
public record LeaderSettings(
        int inSyncMin,
        boolean isSyncAutomatic,
        int syncBatchMessages,
        long syncBatchBytes,
        long mirrorDeadlineNanos,
        int tailEventsMax,
        long tailBytesMax) {
    /** RabbitMQ's defaults where it has any. */
    public static final LeaderSettings DEFAULT =
            new LeaderSettings(1, false, 4096, 1 << 20, 5_000_000_000L, 1 << 16, 64 << 20);
}
