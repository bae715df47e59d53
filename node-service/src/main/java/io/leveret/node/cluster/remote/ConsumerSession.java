package io.leveret.node.cluster.remote;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.Subscriber.CancelReason;

/**
 * What a leader says to a subscription's origin. Called on the subscriber's executor. Every call names its line, so that what
 * an earlier leader said is told apart.
 */
interface ConsumerSession {
    void opened(ConsumerLine line);

    /** The leader refuses for good: another consumer is exclusive, or this one wants to be. */
    void refused(ConsumerLine line, String reason);

    /** That node does not lead the queue in that epoch, or no longer: the line is dead. */
    void notLeader(ConsumerLine line);

    void delivered(ConsumerLine line, long number, Message message, boolean isRedelivered);

    /** Which message a delivery is, that comes next or came before; with number 0: all that came before were told. */
    void identified(ConsumerLine line, long number, long epoch, long index);

    void cancelled(ConsumerLine line, CancelReason reason);

    /**
     * The answer to a get: messages left, or -1 without a message. The delivery, if any, came just before, as any other.
     */
    void got(ConsumerLine line, long request, long remaining);
}
