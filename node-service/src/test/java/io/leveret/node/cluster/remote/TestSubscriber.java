package io.leveret.node.cluster.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.queue.Subscriber;
import io.leveret.node.broker.queue.Subscription;
import io.leveret.node.broker.queue.SubscriptionOptions;
import io.leveret.node.runtime.SerialExecutor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A consumer of one queue that keeps what it gets, and may settle it at once. */
final class TestSubscriber implements Subscriber {
    /** One delivery. */
    record Delivery(long number, String body, boolean isRedelivered) {}

    private final QueueHandle queue;
    private final SerialExecutor executor;
    final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
    final List<CancelReason> cancels = new CopyOnWriteArrayList<>();
    volatile boolean isAcking;
    private volatile @Nullable Subscription subscription;

    TestSubscriber(QueueHandle queue, SerialExecutor executor) {
        this.queue = queue;
        this.executor = executor;
    }

    TestSubscriber acking() {
        isAcking = true;
        return this;
    }

    TestSubscriber start(int prefetch) {
        return start(new SubscriptionOptions("id", "tag", false, false, prefetch, false, Map.of()));
    }

    TestSubscriber start(SubscriptionOptions options) {
        CompletableFuture<Subscription> opened = new CompletableFuture<>();
        executor.execute(() -> queue.subscribe(this, options).whenComplete((it, failure) -> {
            if (failure == null) {
                subscription = it;
                acknowledge();
                opened.complete(it);
            } else {
                opened.completeExceptionally(failure);
            }
        }));
        await().until(opened::isDone);
        opened.join();
        return this;
    }

    /** Settles what has come, also what came before the subscription was known. */
    private void acknowledge() {
        Subscription open = subscription;
        if (isAcking && open != null) {
            open.settle(1, deliveries.size(), Subscription.Settlement.ACK);
        }
    }

    void settle(long from, long to, Subscription.Settlement settlement) {
        executor.execute(() -> subscription().settle(from, to, settlement));
    }

    Subscription subscription() {
        Subscription open = subscription;
        if (open == null) {
            throw new IllegalStateException("not open");
        }
        return open;
    }

    void close() {
        executor.execute(() -> subscription().close());
    }

    List<String> bodies() {
        return deliveries.stream().map(Delivery::body).toList();
    }

    @Override
    public SerialExecutor executor() {
        return executor;
    }

    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public void deliver(long number, Message message, boolean isRedelivered) {
        executor.assertInside();
        deliveries.add(new Delivery(number, new String(message.body(), UTF_8), isRedelivered));
        if (isAcking) {
            executor.atEndOfBatch(this::acknowledge);
        }
    }

    @Override
    public void cancelled(CancelReason reason) {
        cancels.add(reason);
    }
}
