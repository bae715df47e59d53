package io.leveret.node.control;

import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.vhost.Routed;
import io.leveret.node.runtime.SerialExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The publisher of one message. Everything happens on its executor. */
final class OnePublish implements Publisher {
    private static final long NUMBER = 1;

    private final SerialExecutor executor;
    private final long serial;
    private final CompletableFuture<Boolean> confirmed = new CompletableFuture<>();
    private int left;
    private boolean isRefused;

    OnePublish(SerialExecutor executor, long serial) {
        this.executor = executor;
        this.serial = serial;
    }

    /** Completes when every queue has answered: true when all of them hold the message. */
    CompletionStage<Boolean> to(Routed routed) {
        executor.execute(() -> {
            left = routed.queues().size();
            for (QueueHandle queue : routed.queues()) {
                queue.publish(this, NUMBER, routed.message());
            }
        });
        confirmed.whenComplete((result, fault) ->
                executor.execute(() -> routed.queues().forEach(queue -> queue.publisherClosed(this))));
        return confirmed;
    }

    @Override
    public long channelSerial() {
        return serial;
    }

    @Override
    public SerialExecutor executor() {
        return executor;
    }

    @Override
    public void answered(long number, boolean isConfirmed) {
        isRefused |= !isConfirmed;
        if (--left == 0) {
            confirmed.complete(!isRefused);
        }
    }
}
