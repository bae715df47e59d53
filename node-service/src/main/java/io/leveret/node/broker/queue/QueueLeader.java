package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.SerialExecutor;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Signatures first; the body follows. */
public final class QueueLeader {
    private final SerialExecutor executor;
    private final QueueState state;
    private final QueueLog log;

    /**
     * What a leader stands on.
     *
     * @param executor the queue's owner
     * @param inherited all ids up to here were in the queue before this leadership: they are delivered as redelivered
     * @param lastConsumerLeft called when the last consumer is gone, for auto-delete queues
     */
    public record Wiring(
            SerialExecutor executor,
            NodeClock clock,
            QueueState state,
            QueueLog log,
            BodyReader reader,
            MemoryBudget budget,
            MessageId inherited,
            Runnable lastConsumerLeft) {}

    public QueueLeader(Wiring wiring, QueueSettings settings) {
        executor = wiring.executor();
        state = wiring.state();
        log = wiring.log();
    }

    /** Policy or arguments changed. */
    public void configure(QueueSettings settings) {
        executor.assertInside();
    }

    /**
     * A new publish, after dedupe. Appended to the log before this returns; delivered at the end of the batch.
     *
     * @return its id, or null when the queue is full and refuses it
     */
    public @Nullable MessageId publish(Message message, @Nullable Origin origin, long floor, boolean isAgain) {
        executor.assertInside();
        return log.append(new QueueEvent.Published(message, origin, floor, isAgain));
    }

    /** Replication put an older message into the state (merge-back): it is ready. */
    public void merged(MessageId id) {
        executor.assertInside();
    }

    /** Opens a subscription. @throws SubscriptionRefusedException when exclusive use forbids it */
    public LeaderSubscription subscribe(Subscriber subscriber, SubscriptionOptions options) {
        throw new UnsupportedOperationException();
    }

    /**
     * Takes one message for a passive subscription. The stage completes on the subscriber's executor, after the delivery.
     *
     * @return messages left ready, or -1 when there was none
     */
    public CompletionStage<Long> get(LeaderSubscription passive) {
        throw new UnsupportedOperationException();
    }

    /** Settles by id what an earlier leader delivered (acks of a transaction); unknown ids are done already. */
    public void settle(IdRuns ids) {
        executor.assertInside();
    }

    /** Appends what was settled in this batch now. @return the last event that settled anything, or ZERO */
    public MessageId flushSettled() {
        return MessageId.ZERO;
    }

    /** Removes what is ready. @return how many */
    public long purge() {
        return 0;
    }

    public QueueCounts counts() {
        return new QueueCounts(state.live().readyCount(), 0, 0);
    }

    public QueueStatistics statistics() {
        throw new UnsupportedOperationException();
    }

    /** The journal has more on disk, or memory is short: lets bodies go as far as the budget asks. */
    public void trim() {
        executor.assertInside();
    }

    /** No deliveries until {@link #resume}: the node is in doubt about its leadership. */
    public void pause() {
        executor.assertInside();
    }

    public void resume() {
        executor.assertInside();
    }

    /** The leadership ends. All deliveries are void; subscribers are not told: their origins move them. */
    public void close() {
        executor.assertInside();
    }

    /** The queue is deleted: ends all subscriptions with {@link Subscriber.CancelReason#QUEUE_DELETED}. */
    public void delete() {
        executor.assertInside();
    }
}
