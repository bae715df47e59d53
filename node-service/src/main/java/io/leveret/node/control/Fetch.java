package io.leveret.node.control;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.queue.Subscriber;
import io.leveret.node.broker.queue.Subscription;
import io.leveret.node.broker.queue.Subscription.Settlement;
import io.leveret.node.broker.queue.SubscriptionOptions;
import io.leveret.node.runtime.SerialExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Takes a few messages of a queue, one after the other, and settles them. State is touched on the executor only. */
final class Fetch implements Subscriber {
    private final SerialExecutor executor;
    private final QueueHandle queue;
    private final List<Fetched> fetched = new ArrayList<>();
    private final CompletableFuture<List<Fetched>> done = new CompletableFuture<>();
    private @Nullable Fetched last;

    Fetch(SerialExecutor executor, QueueHandle queue) {
        this.executor = executor;
        this.queue = queue;
    }

    /** @param remaining ready messages left behind it */
    record Fetched(long number, Message message, boolean isRedelivered, long remaining) {
        Fetched withRemaining(long left) {
            return new Fetched(number, message, isRedelivered, left);
        }
    }

    /** As many as there are, up to the count. */
    CompletionStage<List<Fetched>> take(int count, Settlement settlement) {
        SubscriptionOptions passive = new SubscriptionOptions("control", "control", false, false, 0, true, Map.of());
        queue.subscribe(this, passive)
                .whenComplete((subscription, fault) -> executor.execute(() -> {
                    if (fault != null) {
                        done.completeExceptionally(fault);
                    } else {
                        next(subscription, count, settlement);
                    }
                }));
        return done;
    }

    private void next(Subscription subscription, int left, Settlement settlement) {
        if (left == 0) {
            end(subscription, settlement);
            return;
        }
        queue.get(subscription)
                .whenComplete((remaining, fault) -> executor.execute(() -> {
                    Fetched got = last;
                    last = null;
                    if (fault != null) {
                        subscription.close();
                        done.completeExceptionally(fault);
                    } else if (remaining < 0 || got == null) {
                        end(subscription, settlement);
                    } else {
                        fetched.add(got.withRemaining(remaining));
                        next(subscription, left - 1, settlement);
                    }
                }));
    }

    private void end(Subscription subscription, Settlement settlement) {
        if (!fetched.isEmpty()) {
            subscription.settle(
                    fetched.get(0).number(), fetched.get(fetched.size() - 1).number(), settlement);
        }
        subscription.close();
        done.complete(List.copyOf(fetched));
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
        last = new Fetched(number, message, isRedelivered, 0);
    }

    @Override
    public void cancelled(CancelReason reason) {
        done.complete(List.copyOf(fetched));
    }
}
