package io.leveret.node.cluster.replication;

import io.leveret.model.QueueName;
import io.leveret.node.broker.queue.DeadLetterSink;
import io.leveret.node.runtime.SerialExecutor;

/** Makes the way out for the dead letters of each queue that this node leads. */
@FunctionalInterface
public interface DeadLetterSinks {
    /** Nobody routes dead letters: they are dropped. */
    DeadLetterSinks DROPPING =
            (queue, incarnation, executor) -> (id, message, why, committed) -> executor.execute(committed);

    /** @param executor the queue's, where the sink is called and tells that a dead letter is committed */
    DeadLetterSink sinkOf(QueueName queue, long incarnation, SerialExecutor executor);
}
