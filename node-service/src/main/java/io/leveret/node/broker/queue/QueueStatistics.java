package io.leveret.node.broker.queue;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Figures of one queue, read by its owner at one moment. Counters grow from the start of the leadership.
 *
 * @param deadLettering messages that have left for the dead-letter exchange and wait for its queues to take them; they count
 *     as unacked
 * @param headTimestamp the timestamp property of the oldest message, as its publisher set it; null when it has none, or its
 *     properties are not in memory
 * @param isServed a consumer could take a message now, or none waits for one
 */
public record QueueStatistics(
        long ready,
        long unacked,
        long readyBytes,
        long unackedBytes,
        long messagesInMemory,
        long bytesInMemory,
        long persistentMessages,
        long deadLettering,
        long persistentBytes,
        long published,
        long delivered,
        long deliveredNoAck,
        long got,
        long gotNoAck,
        long acked,
        long redelivered,
        long idleSinceMillis,
        @Nullable Long headTimestamp,
        boolean isServed,
        List<ConsumerStatistics> consumers) {

    /** One consumer of a queue. */
    public record ConsumerStatistics(
            String consumerId,
            String consumerTag,
            boolean isNoAck,
            boolean isExclusive,
            int prefetch,
            boolean isActive) {}
}
