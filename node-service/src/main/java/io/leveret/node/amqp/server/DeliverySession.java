package io.leveret.node.amqp.server;

import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.queue.Subscriber;
import io.leveret.node.broker.queue.Subscription;
import io.leveret.node.broker.queue.Subscription.Settlement;
import io.leveret.node.runtime.SerialExecutor;
import org.jspecify.annotations.Nullable;

/**
 * One subscription of a channel, whatever it serves. Acks of a batch are joined into ranges, since most clients settle one by
 * one and in order. Lives on the connection's loop.
 */
abstract class DeliverySession extends UnackedDeliveries.Source implements Subscriber {
    private final SerialExecutor executor;

    @Nullable
    private Subscription subscription;

    private boolean isClosed;
    private boolean isFlushPlanned;
    private long ackFrom;
    private long ackTo;

    DeliverySession(SerialExecutor executor) {
        this.executor = executor;
    }

    /** Where its deliveries come from. */
    abstract QueueHandle queue();

    @Override
    public final SerialExecutor executor() {
        return executor;
    }

    /** The queue accepted. */
    final void opened(Subscription opened) {
        subscription = opened;
        if (isClosed) {
            opened.close();
        }
    }

    final @Nullable Subscription subscription() {
        return subscription;
    }

    final boolean isClosed() {
        return isClosed;
    }

    final void settle(long from, long to, Settlement settlement) {
        if (settlement != Settlement.ACK) {
            flushAcks();
            if (subscription != null) {
                subscription.settle(from, to, settlement);
            }
            return;
        }
        if (ackFrom != 0 && ackTo + 1 == from) {
            ackTo = to;
        } else {
            flushAcks();
            ackFrom = from;
            ackTo = to;
        }
        if (!isFlushPlanned) {
            isFlushPlanned = true;
            executor.atEndOfBatch(() -> {
                isFlushPlanned = false;
                flushAcks();
            });
        }
    }

    /** Ends the subscription, and requeues what is unsettled. */
    void close() {
        if (isClosed) {
            return;
        }
        flushAcks();
        isClosed = true;
        if (subscription != null) {
            subscription.close();
        }
    }

    /** Tells the queue of the acks so far; before anything else that it is told. */
    final void flushAcks() {
        if (ackFrom != 0 && subscription != null && !isClosed) {
            subscription.settle(ackFrom, ackTo, Settlement.ACK);
        }
        ackFrom = 0;
    }
}
