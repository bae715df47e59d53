package io.leveret.node.broker.queue;

/** Hears from a leader that its queue may have outlived its use. Called on the queue's executor. */
public interface QueueEnd {
    /** The last consumer is gone: an auto-delete queue goes. */
    void lastConsumerLeft();

    /** Nobody has used the queue for as long as it may be unused. Told again every second while that is so. */
    void expired();
}
