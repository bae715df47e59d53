package io.leveret.node.broker.vhost;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.QueueHandle;
import java.util.List;

/**
 * Where a message goes.
 *
 * @param message what to hand to the queues: the published one, without its BCC header
 * @param queues each once; empty: unroutable, also when it answers a request
 * @param replies channels that await it as the answer to a request
 */
public record Routed(Message message, List<QueueHandle> queues, List<ReplyAddress> replies) {
    public Routed(Message message, List<QueueHandle> queues) {
        this(message, queues, List.of());
    }

    /** Another message to the same targets. */
    public Routed with(Message other) {
        return new Routed(other, queues, replies);
    }
}
