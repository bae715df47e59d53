package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.runtime.SerialExecutor;
import java.util.ArrayList;
import java.util.List;

/**
 * Deliveries on their way to a subscriber on another executor: filled by the queue, handed over once, emptied there, and
 * then reported back, which opens the window again.
 */
final class DeliveryBatch implements Runnable {
    private final SubscriptionState subscription;
    private final List<Message> messages = new ArrayList<>();
    private final LongList numbers = new LongList();
    private long bytes;

    DeliveryBatch(SubscriptionState subscription) {
        this.subscription = subscription;
    }

    void add(long number, Message message, boolean isRedelivered) {
        numbers.add(isRedelivered ? -number : number);
        messages.add(message);
        bytes += message.memoryBytes();
    }

    int count() {
        return messages.size();
    }

    long bytes() {
        return bytes;
    }

    /** On the subscriber's executor. */
    @Override
    public void run() {
        Subscriber subscriber = subscription.subscriber();
        for (int i = 0; i < messages.size(); i++) {
            long number = numbers.get(i);
            subscriber.deliver(Math.abs(number), messages.get(i), number < 0);
        }
        SerialExecutor here = subscriber.executor();
        here.handOver(subscription.queueExecutor(), this::arrived);
    }

    private void arrived() {
        subscription.arrived(this);
    }
}
