package io.leveret.node.cluster.replication;

import io.leveret.model.QueueName;
import io.leveret.node.broker.queue.DeadLetterSink;
import io.leveret.node.broker.queue.LetterSource;
import io.leveret.node.runtime.SerialExecutor;

/** Makes the way out for the dead letters of each queue that this node leads. */
@FunctionalInterface
public interface DeadLetterSinks {
    /** Nobody routes dead letters: they are dropped. */
    DeadLetterSinks DROPPING =
            (queue, source, executor) -> (id, message, why, committed) -> executor.execute(committed);

    /**
     * @param source the queue's incarnation and the epoch of the leadership
     * @param executor the queue's, where the sink is called and tells that a dead letter is committed
     */
    DeadLetterSink sinkOf(QueueName queue, LetterSource source, SerialExecutor executor);
}
