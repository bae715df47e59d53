package io.leveret.node.broker.vhost;

import io.leveret.model.QueueName;
import io.leveret.node.broker.queue.QueueHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Finds the handle of a declared queue, wherever it is led. Any thread; does not wait. */
public interface QueueDirectory {
    /** Null when this node's metadata has no such queue. The same handle for the same incarnation of a queue. */
    @Nullable
    QueueHandle find(QueueName name);

    /**
     * Completes when the leader of a queue that was just made takes publishes, or after some seconds; never fails. Until then
     * they would wait for it, and be sent twice.
     */
    default CompletionStage<?> ready(QueueName name) {
        return CompletableFuture.completedFuture(null);
    }
}
