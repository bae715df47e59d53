package io.leveret.node.amqp.server;

import io.leveret.node.amqp.wire.DeliverTemplate;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.queue.Subscription;
import io.leveret.node.broker.queue.SubscriptionOptions;
import java.util.ArrayDeque;

/**
 * One consumer.
 *
 * <p><em>Opening</em>: the queue was asked; deliveries that come already are held, since the client must see consume-ok
 * first. <em>Active</em>: deliveries are written. <em>Cancelled</em>: what still comes is given back, unseen. <em>Closed</em>
 * with its channel: what still comes is forgotten; the queue has requeued it.
 *
 * <p>It is writable while opening, too: whoever has seen consume-ok may count on the queue's knowing an idle consumer, and a
 * message that lives for no time must find it. What is held is bounded by what a queue lets fly to another loop.
 */
final class ConsumerSession extends DeliverySession {
    private final ChannelConsumers channel;
    private final Outbound out;
    private final QueueHandle queue;
    private final SubscriptionOptions options;
    private final DeliverTemplate template;
    private final ArrayDeque<Held> held = new ArrayDeque<>();
    private boolean isCancelled;
    private boolean isCancelledAtQueue;
    private boolean isPaused;
    private boolean isActive;
    /** A queue has been told to wait: it must be told to go on. */
    private volatile boolean hasRefused;

    ConsumerSession(
            ChannelConsumers channel,
            ConnectionContext context,
            int channelNumber,
            QueueHandle queue,
            SubscriptionOptions options) {
        super(context.executor());
        this.channel = channel;
        this.out = context.out();
        this.queue = queue;
        this.options = options;
        this.template = new DeliverTemplate(channelNumber, options.consumerTag());
    }

    @Override
    QueueHandle queue() {
        return queue;
    }

    @Override
    public boolean wantsIds() {
        return channel.isTransactional();
    }

    SubscriptionOptions options() {
        return options;
    }

    DeliverTemplate template() {
        return template;
    }

    @Override
    public boolean isWritable() {
        if (out.isWritable()) {
            return true;
        }
        // Told first, asked again then: otherwise the socket could become writable unnoticed in between.
        hasRefused = true;
        return out.isWritable();
    }

    @Override
    public void deliver(long number, Message message, boolean isRedelivered) {
        Subscription at = subscription();
        if (isClosed()) {
            return;
        } else if (!isActive || at == null) {
            held.add(new Held(number, message, isRedelivered));
        } else if (isCancelled) {
            at.giveBack(number);
        } else if (!options.isNoAck() && channel.isPrefetchReached()) {
            // The others may wait already; one that came later must learn it, or it is given the message again at once.
            pause();
            channel.pauseForPrefetch();
            at.giveBack(number);
        } else {
            channel.show(this, number, message, isRedelivered);
        }
    }

    @Override
    public void cancelled(CancelReason reason) {
        if (!isClosed() && !isCancelled) {
            isCancelled = true;
            channel.cancelledByQueue(this);
        }
    }

    /** The client has been told: deliveries may go. */
    void activate() {
        isActive = true;
        for (Held each = held.poll(); each != null; each = held.poll()) {
            deliver(each.number, each.message, each.isRedelivered);
        }
        writable();
    }

    /** The socket takes more. */
    void writable() {
        Subscription at = subscription();
        if (hasRefused && isActive && at != null && !isClosed() && !isCancelled) {
            hasRefused = false;
            if (!isPaused) {
                at.resume();
            }
        }
    }

    /** The channel's prefetch is used up. */
    void pause() {
        Subscription at = subscription();
        if (!isPaused && !options.isNoAck() && at != null && !isCancelled) {
            isPaused = true;
            at.pause();
        }
    }

    /** The channel's prefetch has room again. */
    void unpause() {
        Subscription at = subscription();
        if (isPaused && at != null && !isCancelled) {
            isPaused = false;
            at.resume();
        }
    }

    /** The client cancels: what still comes is given back. */
    void cancel() {
        isCancelled = true;
        cancelAtQueue();
    }

    /** Tells the queue alone. */
    void cancelAtQueue() {
        Subscription at = subscription();
        if (at != null && !isClosed() && !isCancelledAtQueue) {
            isCancelledAtQueue = true;
            flushAcks();
            at.cancel();
        }
    }

    private record Held(long number, Message message, boolean isRedelivered) {}
}
