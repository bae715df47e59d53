package io.leveret.node.broker.vhost;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.Publisher;
import java.util.concurrent.CompletionStage;

/**
 * Ways to the channels that await answers (direct reply-to), on this node or another. Answers are as lasting as the channel:
 * none is kept, and those for a channel that is gone, or cannot be reached, are dropped. Any thread where nothing else is said.
 */
public interface ReplyRoutes {
    /** A channel awaits answers from now on. @return where they go */
    ReplyAddress open(ReplyConsumer consumer);

    /** It no longer does. */
    void close(ReplyAddress address);

    /**
     * Brings a message to the channel, in the order of the calls. Called on the publisher's executor. One positive answer
     * follows, now or later: when the message has left this node, or was dropped. Until then it counts against the bound of
     * the publisher.
     */
    void deliver(Publisher publisher, long number, ReplyAddress to, Message message);

    /** Whether the channel is there, as far as can be found out. Never fails. */
    CompletionStage<Boolean> isOpen(ReplyAddress address);
}
