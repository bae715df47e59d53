package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.runtime.SerialExecutor;

/** A consumer as its queue sees it. All methods but {@link #isWritable} are called on its executor. */
public interface Subscriber {
    SerialExecutor executor();

    /** False while the consumer's socket (or link) is full. Any thread; a hint, to be followed by Subscription.resume. */
    boolean isWritable();

    /**
     * One delivery.
     *
     * @param number 1, 2, 3 … within the subscription; names the delivery in {@link Subscription#settle}
     */
    void deliver(long number, Message message, boolean isRedelivered);

    /** Whether {@link #identified} is to be called before each delivery: asked when a leader is told of the subscriber. */
    default boolean wantsIds() {
        return false;
    }

    /** The delivery of this number, which is about to come or came before, is that message. */
    default void identified(long number, long epoch, long index) {}

    /** The queue ended the subscription; no delivery follows. */
    void cancelled(CancelReason reason);

    /** Why a queue ends a subscription. */
    enum CancelReason {
        QUEUE_DELETED,
        /** The leader changed and the consumer asked to be told (x-cancel-on-ha-failover). */
        LEADER_CHANGED,
        /** The queue has no leader, and none that could come by itself. */
        QUEUE_UNAVAILABLE
    }
}
