package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.MessageId;

/** Where a leader puts its events. Implemented by replication; called on the queue's executor. */
public interface QueueLog {
    /**
     * Gives the event the next id, applies it to the {@link QueueState}, and sets off journalling and replication. All of
     * the state shows the event when this returns; nothing is committed yet. Does not wait.
     */
    MessageId append(QueueEvent event);
}
