package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.runtime.SerialExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One consumer at the leader: what it may still take, and what it has not settled.
 *
 * <pre>
 * open ── cancel ──► cancelled (settles still count) ── close ──► closed (all requeued)
 *   └──────────────────────────── close ─────────────────────────────┘
 * </pre>
 *
 * Bounds: unsettled ≤ prefetch (if not 0); on the way to another executor ≤ {@link #FLYING_MAX} messages and about {@link
 * #FLYING_BYTES_MAX} bytes, so that a slow loop or link is not flooded. On the queue's own executor the subscriber's
 * isWritable is the bound. Owned by the queue's executor.
 */
final class SubscriptionState implements LeaderSubscription {
    /**
     * As many as a connection may have published and not answered (PublishWindow): in the time that a report takes to travel
     * back through a busy loop so many may come in, and with fewer going out a fast publisher would starve the consumers.
     */
    static final int FLYING_MAX = 8192;
    /** A few socket buffers. */
    static final long FLYING_BYTES_MAX = 2 << 20;

    private final QueueLeader leader;
    private final SerialExecutor queueExecutor;
    private final Subscriber subscriber;
    private final SubscriptionOptions options;
    private final boolean isNear;
    private final int priority;
    private final UnsettledDeliveries unsettled = new UnsettledDeliveries();

    /** Kept by the scheduler. */
    boolean isInRotation;
    /** Kept by the leader: false while another consumer is the single active one. */
    boolean isChosen = true;

    private boolean isOpen = true;
    private boolean isClosed;
    private boolean isPaused;
    private boolean isIdentified;
    private long lastNumber;
    private int flying;
    private long flyingBytes;
    private @Nullable DeliveryBatch batch;

    SubscriptionState(
            QueueLeader leader, SerialExecutor queueExecutor, Subscriber subscriber, SubscriptionOptions options) {
        this.leader = leader;
        this.queueExecutor = queueExecutor;
        this.subscriber = subscriber;
        this.options = options;
        isNear = subscriber.executor() == queueExecutor;
        isIdentified = subscriber.wantsIds() && !options.isNoAck();
        Object asked = options.arguments().get("x-priority");
        priority = asked instanceof Number ? ((Number) asked).intValue() : 0;
    }

    Subscriber subscriber() {
        return subscriber;
    }

    SubscriptionOptions options() {
        return options;
    }

    SerialExecutor queueExecutor() {
        return queueExecutor;
    }

    int priority() {
        return priority;
    }

    UnsettledDeliveries deliveries() {
        return unsettled;
    }

    boolean isClosed() {
        return isClosed;
    }

    @Override
    public boolean isOpen() {
        return isOpen;
    }

    @Override
    public int unsettled() {
        return unsettled.count();
    }

    /** Whether a delivery may go out now. */
    boolean canTake() {
        return isOpen
                && isChosen
                && !isPaused
                && !options.isPassive()
                && (options.prefetch() == 0 || options.isNoAck() || unsettled.count() < options.prefetch())
                && flying < FLYING_MAX
                && flyingBytes < FLYING_BYTES_MAX
                && subscriber.isWritable();
    }

    /** Gives the message to the subscriber: at once when it is on this executor, else with the batch. */
    void deliver(Message message, long epoch, long index, boolean isRedelivered) {
        lastNumber++;
        if (!options.isNoAck()) {
            unsettled.add(lastNumber, epoch, index);
        }
        if (isNear) {
            if (isIdentified) {
                subscriber.identified(lastNumber, epoch, index);
            }
            subscriber.deliver(lastNumber, message, isRedelivered);
            return;
        }
        DeliveryBatch filling = batch;
        if (filling == null) {
            filling = new DeliveryBatch(this);
            batch = filling;
            leader.toSend(this);
        }
        if (isIdentified) {
            filling.identify(epoch, index);
        }
        filling.add(lastNumber, message, isRedelivered);
        flying++;
        flyingBytes += message.memoryBytes();
    }

    /** Sends the batch on its way. */
    void send() {
        DeliveryBatch full = batch;
        if (full != null) {
            batch = null;
            queueExecutor.handOver(subscriber.executor(), full);
        }
    }

    /** The subscriber has a batch. */
    void arrived(DeliveryBatch arrived) {
        flying -= arrived.count();
        flyingBytes -= arrived.bytes();
        leader.changed(this);
    }

    /** Runs a task on the subscriber's executor, after all deliveries so far. */
    void afterDeliveries(Runnable task) {
        if (isNear) {
            task.run();
        } else {
            send();
            queueExecutor.handOver(subscriber.executor(), task);
        }
    }

    @Override
    public void settle(long from, long to, Settlement settlement) {
        queueExecutor.assertInside();
        if (!isClosed) {
            leader.settle(this, from, to, settlement);
        }
    }

    @Override
    public void giveBack(long number) {
        queueExecutor.assertInside();
        if (!isClosed) {
            leader.giveBack(this, number);
        }
    }

    @Override
    public CompletionStage<Void> identify() {
        queueExecutor.assertInside();
        if (!isIdentified && !options.isNoAck()) {
            isIdentified = true;
            LongList told = new LongList();
            for (int place = unsettled.placeOf(1); place < unsettled.end(); place++) {
                if (unsettled.isUnsettled(place)) {
                    told.add(unsettled.number(place));
                    told.add(unsettled.epoch(place));
                    told.add(unsettled.index(place));
                }
            }
            afterDeliveries(() -> {
                for (int at = 0; at < told.size(); at += 3) {
                    subscriber.identified(told.get(at), told.get(at + 1), told.get(at + 2));
                }
            });
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public int identified(long from, long to, IdRuns.Builder ids) {
        queueExecutor.assertInside();
        return unsettled.ids(from, to, ids);
    }

    @Override
    public void pause() {
        queueExecutor.assertInside();
        isPaused = true;
    }

    @Override
    public void resume() {
        queueExecutor.assertInside();
        isPaused = false;
        leader.changed(this);
    }

    @Override
    public void cancel() {
        queueExecutor.assertInside();
        if (isOpen) {
            isOpen = false;
            leader.cancelled(this);
        }
    }

    @Override
    public void close() {
        cancel();
        if (!isClosed) {
            leader.closed(this);
            isClosed = true;
        }
    }

    /** The leadership, or the queue, ends: nothing is requeued and nobody told. */
    void end() {
        isOpen = false;
        isClosed = true;
    }
}
