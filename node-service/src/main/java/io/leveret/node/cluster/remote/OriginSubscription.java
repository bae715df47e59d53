package io.leveret.node.cluster.remote;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.QueueUnavailableException;
import io.leveret.node.broker.queue.Subscriber;
import io.leveret.node.broker.queue.Subscriber.CancelReason;
import io.leveret.node.broker.queue.Subscription;
import io.leveret.node.broker.queue.SubscriptionOptions;
import io.leveret.node.broker.queue.SubscriptionRefusedException;
import io.leveret.node.broker.queue.UnsettledDeliveries;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A subscription at the node of its client. It survives its leaders: each leadership is served over a {@link ConsumerLine} of
 * its own, whose deliveries are numbered from 1, and are shown to the subscriber with the deliveries of all earlier lines
 * before them. What an earlier leader delivered can no longer be settled.
 *
 * <pre>
 * WAITING ──leader known──► OPENING ──opened──► OPEN
 *    ▲                         │ not leader      │ line lost, leader changed
 *    └─────────────────────────┴─────────────────┤
 *                                                └─ queue deleted, refused, closed, asked to be told ──► ENDED
 * </pre>
 *
 * Owned by the subscriber's executor. Bound: unanswered gets, which a channel issues one at a time.
 */
final class OriginSubscription implements Subscription, ConsumerSession {
    private enum State {
        WAITING,
        OPENING,
        OPEN,
        ENDED
    }

    private record Get(long request, CompletableFuture<Long> answer) {}

    private final ClusterQueue queue;
    private final Subscriber subscriber;
    private final SubscriptionOptions options;
    private final long serial;
    private final boolean isToldOfNewLeader;
    private final CompletableFuture<Subscription> opened = new CompletableFuture<>();
    private final ArrayDeque<Get> gets = new ArrayDeque<>();
    private State state = State.WAITING;
    private @Nullable ConsumerLine line;
    private long lineEpoch;
    /** Deliveries shown of earlier lines, and of all lines. */
    private long base;

    private long shown;
    private long requests;
    private boolean isPaused;
    private boolean isCancelled;
    private boolean isHeldBack;
    /** Which message each unsettled delivery is, by the numbers that are shown; of earlier lines, too. */
    private @Nullable UnsettledDeliveries ids;

    private long lastIdentified;
    private CompletableFuture<Void> identifying = CompletableFuture.completedFuture(null);

    /** @param serial 1, 2, 3 … of the queue on this node */
    OriginSubscription(ClusterQueue queue, Subscriber subscriber, SubscriptionOptions options, long serial) {
        this.serial = serial;
        this.queue = queue;
        this.subscriber = subscriber;
        this.options = options;
        Object asked = options.arguments().get("x-cancel-on-ha-failover");
        this.isToldOfNewLeader = Boolean.TRUE.equals(asked);
    }

    long serial() {
        return serial;
    }

    Subscriber subscriber() {
        return subscriber;
    }

    SubscriptionOptions options() {
        return options;
    }

    CompletableFuture<Subscription> opening() {
        return opened;
    }

    boolean isEnded() {
        return state == State.ENDED;
    }

    /** Whether a line to the leader of that epoch is to be made. */
    boolean wants(long epoch) {
        return state != State.ENDED && (line == null || lineEpoch < epoch);
    }

    /** Nobody leads. */
    void disconnect() {
        lineLost(true);
    }

    /** A leader is known, and reachable. */
    void connect(long epoch, ConsumerLine next) {
        lineLost(true);
        if (state != State.WAITING) {
            next.close();
            return;
        }
        state = State.OPENING;
        line = next;
        lineEpoch = epoch;
        next.open();
    }

    /** The current line is dead; the next one is made when a leader is known. */
    void disconnected(ConsumerLine dead) {
        if (dead == line) {
            lineLost(false);
            // Should the next link have been heard of before the end of this one, nobody else would use it.
            queue.retry(this);
        }
    }

    /** @param isReplaced the old leader may be alive, and is told that the line ends */
    private void lineLost(boolean isReplaced) {
        ConsumerLine old = line;
        if (old == null) {
            return;
        }
        boolean wasOpen = state == State.OPEN;
        line = null;
        base = shown;
        isHeldBack = false;
        identifying.complete(null); // what the old leader has not told, nobody will
        state = State.WAITING;
        if (isReplaced) {
            old.close();
        }
        if (isCancelled) {
            end();
        } else if (wasOpen && isToldOfNewLeader) {
            end();
            subscriber.cancelled(CancelReason.LEADER_CHANGED);
        } else if (!gets.isEmpty()) {
            queue.expectLeader(this);
        }
    }

    /** No leader came in time, or none can. */
    void unavailable(QueueUnavailableException why) {
        if (state == State.WAITING) {
            for (Get each = gets.poll(); each != null; each = gets.poll()) {
                each.answer().completeExceptionally(why);
            }
            if (!opened.isDone()) {
                end();
                opened.completeExceptionally(why);
            }
        }
    }

    /** The home of an unmirrored queue is gone: consumers are told, as nothing will come. */
    void lost() {
        if (state != State.ENDED && opened.isDone()) {
            boolean isTold = !isCancelled && !options.isPassive();
            end();
            if (isTold) {
                subscriber.cancelled(CancelReason.QUEUE_UNAVAILABLE);
            }
        }
    }

    void queueDeleted() {
        if (state == State.ENDED) {
            return;
        }
        boolean isTold = opened.isDone() && !isCancelled && !options.isPassive();
        end();
        QueueUnavailableException gone = queue.gone();
        opened.completeExceptionally(gone);
        if (isTold) {
            subscriber.cancelled(CancelReason.QUEUE_DELETED);
        }
    }

    /** Both ends of the line are told: of a leader on another node each keeps a record of it. */
    private void end() {
        ConsumerLine last = line;
        state = State.ENDED;
        identifying.complete(null);
        line = null;
        if (last != null) {
            last.close();
        }
        queue.forget(this);
        for (Get each = gets.poll(); each != null; each = gets.poll()) {
            each.answer().completeExceptionally(queue.unavailable());
        }
    }

    @Override
    public void opened(ConsumerLine from) {
        if (from != line) {
            return;
        }
        state = State.OPEN;
        if (isPaused) {
            from.pause();
        }
        if (!identifying.isDone()) {
            from.identify();
        }
        gets.forEach(each -> from.get(each.request()));
        opened.complete(this);
    }

    @Override
    public void refused(ConsumerLine from, String reason) {
        if (from != line) {
            return;
        }
        boolean wasOpenBefore = opened.isDone();
        end();
        if (wasOpenBefore) {
            subscriber.cancelled(CancelReason.LEADER_CHANGED);
        } else {
            opened.completeExceptionally(new SubscriptionRefusedException(reason));
        }
    }

    @Override
    public void notLeader(ConsumerLine from) {
        if (from == line) {
            lineLost(false);
            queue.retry(this);
        }
    }

    @Override
    public void delivered(ConsumerLine from, long number, Message message, boolean isRedelivered) {
        if (from != line) {
            return;
        }
        shown = base + number;
        if (isCancelled) {
            forget(shown, shown);
            from.giveBack(number);
            return;
        }
        subscriber.deliver(shown, message, isRedelivered);
        if (from.isRemote() && !isHeldBack && !subscriber.isWritable()) {
            isHeldBack = true;
            from.pause();
        }
    }

    @Override
    public void identified(ConsumerLine from, long number, long epoch, long index) {
        if (from != line) {
            return;
        }
        if (number == 0) {
            identifying.complete(null);
        } else if (base + number > lastIdentified) {
            UnsettledDeliveries known = ids;
            if (known == null) {
                known = new UnsettledDeliveries();
                ids = known;
            }
            lastIdentified = base + number;
            known.add(lastIdentified, epoch, index);
        }
    }

    @Override
    public CompletionStage<Void> identify() {
        if (line != null && identifying.isDone()) {
            identifying = new CompletableFuture<>();
            if (state == State.OPEN) {
                line.identify();
            }
        }
        return identifying;
    }

    @Override
    public int identified(long from, long to, IdRuns.Builder into) {
        return ids == null ? 0 : ids.ids(from, to, into);
    }

    private void forget(long from, long to) {
        if (ids != null) {
            ids.settle(from, to);
        }
    }

    @Override
    public void cancelled(ConsumerLine from, CancelReason reason) {
        if (from == line && reason == CancelReason.QUEUE_DELETED) {
            queueDeleted();
        }
    }

    @Override
    public void got(ConsumerLine from, long request, long remaining) {
        if (from != line) {
            return;
        }
        Get asked = gets.peek();
        if (asked != null && asked.request() == request) {
            gets.remove();
            asked.answer().complete(remaining);
        }
    }

    /** @return false when it waits for a leader */
    boolean get(CompletableFuture<Long> answer) {
        if (state == State.ENDED) {
            answer.completeExceptionally(queue.unavailable());
            return true;
        }
        Get asked = new Get(++requests, answer);
        gets.add(asked);
        if (state == State.OPEN && line != null) {
            line.get(asked.request());
            return true;
        }
        return false;
    }

    @Override
    public void settle(long from, long to, Settlement settlement) {
        subscriber.executor().assertInside();
        forget(from, to);
        long first = Math.max(from, base + 1);
        if (line != null && first <= to) {
            line.settle(first - base, to - base, settlement);
        }
    }

    @Override
    public void giveBack(long number) {
        forget(number, number);
        if (line != null && number > base) {
            line.giveBack(number - base);
        }
    }

    @Override
    public void pause() {
        isPaused = true;
        if (line != null) {
            line.pause();
        }
    }

    @Override
    public void resume() {
        isPaused = false;
        isHeldBack = false;
        if (line != null) {
            line.resume();
        }
    }

    @Override
    public void cancel() {
        isCancelled = true;
        if (line != null) {
            line.cancel();
        } else {
            end();
        }
    }

    @Override
    public void close() {
        if (state != State.ENDED) {
            isCancelled = true;
            end();
        }
    }
}
