package io.leveret.node.amqp.server;

import io.leveret.model.QueueName;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A channel at one moment.
 *
 * @param name the connection's name and the number in parentheses
 * @param uncommitted publishes that a transaction holds
 * @param uncommittedAcks verdicts on deliveries that it holds
 * @param idleSinceMillis when it was last used, by the wall clock
 */
public record ChannelStatistics(
        String name,
        String connectionName,
        int number,
        String vhost,
        String user,
        String peerHost,
        int peerPort,
        String state,
        long idleSinceMillis,
        int unacked,
        int unconfirmed,
        int uncommitted,
        int uncommittedAcks,
        int prefetch,
        int globalPrefetch,
        boolean isTransactional,
        boolean isConfirm,
        Counters counters,
        List<Exchange> exchanges,
        List<Consumer> consumers) {

    /** What the channel has done so far. */
    public record Counters(
            long published,
            long confirmed,
            long returnedUnroutable,
            long droppedUnroutable,
            long delivered,
            long deliveredNoAck,
            long got,
            long gotNoAck,
            long gotEmpty,
            long acked,
            long redelivered) {}

    /**
     * What the channel has published to one exchange.
     *
     * @param publishOut how many times a queue took a message
     */
    public record Exchange(String exchange, long publishIn, long publishOut) {}

    /**
     * A consumer as its channel knows it. Whether it is active is known to its queue, under the same id.
     *
     * @param consumerId as in {@link io.leveret.node.broker.queue.QueueStatistics.ConsumerStatistics}
     */
    public record Consumer(
            String consumerId,
            String consumerTag,
            QueueName queue,
            boolean isNoAck,
            boolean isExclusive,
            int prefetch,
            Map<String, @Nullable Object> arguments) {}
}
