package io.leveret.node.cluster.replication;

import io.leveret.model.QueueName;
import io.leveret.node.broker.queue.DeadLetterSink;
import io.leveret.node.runtime.SerialExecutor;

/** Makes the way out for the dead letters of each queue that this node leads. */
@FunctionalInterface
public interface DeadLetterSinks {
    /** No queue has a dead-letter exchange. */
    DeadLetterSinks NONE = (queue, incarnation, executor) -> DeadLetterSink.NONE;

    /** @param executor the queue's, where the sink is called and tells that a dead letter is committed */
    DeadLetterSink sinkOf(QueueName queue, long incarnation, SerialExecutor executor);
}
