package io.leveret.node.broker.vhost;

import io.leveret.model.QueueName;
import io.leveret.node.broker.queue.QueueHandle;
import org.jspecify.annotations.Nullable;

/** Finds the handle of a declared queue, wherever it is led. Any thread; does not wait. */
public interface QueueDirectory {
    /** Null when this node's metadata has no such queue. The same handle for the same incarnation of a queue. */
    @Nullable
    QueueHandle find(QueueName name);
}
