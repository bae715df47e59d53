package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.runtime.SerialExecutor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Deliveries on their way to a subscriber on another executor: filled by the queue, handed over once, emptied there, and
 * then reported back, which opens the window again.
 */
final class DeliveryBatch implements Runnable {
    private final SubscriptionState subscription;
    private final List<Message> messages = new ArrayList<>();
    private final LongList numbers = new LongList();
    /** Two a delivery, epoch and index, if the subscriber wants to know them. */
    private @Nullable LongList ids;

    private long bytes;

    DeliveryBatch(SubscriptionState subscription) {
        this.subscription = subscription;
    }

    void add(long number, Message message, boolean isRedelivered) {
        numbers.add(isRedelivered ? -number : number);
        messages.add(message);
        bytes += message.memoryBytes();
    }

    /** The next one to be added is that message; so from now on for all of them. */
    void identify(long epoch, long index) {
        LongList known = ids;
        if (known == null) {
            known = new LongList();
            ids = known;
        }
        known.add(epoch);
        known.add(index);
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
            // Told from the middle of a batch on: the ids are those of the last deliveries.
            int at = ids == null ? -1 : 2 * i - (2 * messages.size() - ids.size());
            if (ids != null && at >= 0) {
                subscriber.identified(Math.abs(number), ids.get(at), ids.get(at + 1));
            }
            subscriber.deliver(Math.abs(number), messages.get(i), number < 0);
        }
        SerialExecutor here = subscriber.executor();
        here.handOver(subscription.queueExecutor(), this::arrived);
    }

    private void arrived() {
        subscription.arrived(this);
    }
}
