package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.SerialExecutor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a queue while this node leads it: takes publishes, gives deliveries, takes verdicts. It lives as long as the
 * leadership.
 *
 * <pre>
 * publish ──► log (Published) ──► ready ──turn──► out ──ack, reject──► log (Settled, once a batch)
 *                                   ▲              │
 *                                   └── requeue, giveBack, close
 * </pre>
 *
 * <p>Publishes and verdicts are taken as they come; deliveries happen in turns, at the end of the batch that made them
 * possible. A turn is bounded by {@link #TURN_DELIVERIES_MAX}; what is left waits until the executor has done other work.
 * The order of deliveries is id order; a message that is not in memory stops the turn until it was read back.
 *
 * <p>All methods are called on the queue's executor.
 */
public final class QueueLeader {
    /** A turn is a millisecond or so: other queues, and the sockets of this loop, come in between. */
    static final int TURN_DELIVERIES_MAX = 512;

    private static final String LEADER_CHANGED = "the queue's leader has changed";

    private final SerialExecutor executor;
    private final NodeClock clock;
    private final LiveMessages live;
    private final QueueLog log;
    private final QueueEnd end;
    private final ReadySet ready;
    private final ReadAhead readAhead;
    private final SettleBatch settled;
    private final DeadLetters deadLetters;
    private final Departures departures;
    private final QueueExpiry expiry;
    private final Consumers consumers;
    private final QueueCounters counters = new QueueCounters();
    private final ArrayDeque<PendingGet> gets = new ArrayDeque<>();
    private final List<SubscriptionState> toSend = new ArrayList<>();
    private final Runnable turn = this::turn;
    private QueueSettings settings;
    private boolean isTurnPlanned;
    private boolean isInTurn;
    private boolean isTurnWanted;
    private boolean isPaused;
    private boolean isClosed;
    private MessageId lastPublished;
    private long usedAtMillis;

    /**
     * What a leader stands on.
     *
     * @param executor the queue's owner
     * @param inherited all ids up to here were in the queue before this leadership
     * @param delivered which of them were delivered, so that the others are not redelivered; null: perhaps all
     * @param end hears when the queue may be of no more use
     */
    public record Wiring(
            SerialExecutor executor,
            NodeClock clock,
            QueueState state,
            QueueLog log,
            BodyReader reader,
            MemoryBudget budget,
            DeadLetterSink deadLetters,
            MessageId inherited,
            @Nullable IdRuns delivered,
            QueueEnd end) {}

    private record PendingGet(SubscriptionState subscription, CompletableFuture<Long> answer) {}

    public QueueLeader(Wiring wiring, QueueSettings settings) {
        executor = wiring.executor();
        clock = wiring.clock();
        live = wiring.state().live();
        log = wiring.log();
        end = wiring.end();
        ready = new ReadySet(live, wiring.inherited(), wiring.delivered());
        readAhead = new ReadAhead(executor, live, wiring.reader(), wiring.budget(), this::planTurn);
        settled = new SettleBatch(log);
        deadLetters = new DeadLetters(live, wiring.reader(), wiring.deadLetters(), settled, this::planTurn);
        departures = new Departures(executor, clock, ready, settled, deadLetters, settings, this::planTurn);
        lastPublished = wiring.inherited();
        consumers = new Consumers(settings.isSingleActive());
        expiry = new QueueExpiry(executor, clock, () -> consumers.count() == 0, end::expired);
        expiry.configure(settings.expiresMillis());
        this.settings = settings;
        usedAtMillis = clock.currentTimeMillis();
    }

    /** The leadership begins: what it inherits may expire, or be over a limit, though nobody publishes or consumes. */
    public void start() {
        executor.assertInside();
        expiry.start();
        planTurn();
    }

    /** Policy or arguments changed. */
    public void configure(QueueSettings newSettings) {
        executor.assertInside();
        settings = newSettings;
        departures.configure(newSettings);
        expiry.configure(newSettings.expiresMillis());
        consumers.setSingleActive(newSettings.isSingleActive());
        planTurn();
    }

    /**
     * A new publish, after dedupe. Appended to the log before this returns; delivered at the end of the batch.
     *
     * @return its id, or null when the queue is full and refuses it
     */
    public @Nullable MessageId publish(Message message, @Nullable Origin origin, long floor, boolean isAgain) {
        executor.assertInside();
        if (!mayDropHead() && !hasRoomFor(message)) {
            if (settings.overflow() == QueueSettings.Overflow.REJECT_PUBLISH_DLX && settings.isDeadLettering()) {
                deadLetters.rejected(message);
            }
            return null;
        }
        lastPublished = log.append(new QueueEvent.Published(
                message, origin, floor, isAgain, departures.priority(message), departures.deadline(message)));
        counters.published++;
        planTurn();
        return lastPublished;
    }

    /** What must not be lost can be dropped no faster than the dead-letter targets take it. */
    private boolean mayDropHead() {
        return settings.overflow() == QueueSettings.Overflow.DROP_HEAD
                && !(settings.isAtLeastOnce() && deadLetters.isFull());
    }

    private boolean hasRoomFor(Message message) {
        long bytes = message.body().length;
        if (settings.allows(ready.count() + 1, ready.bytes() + bytes)) {
            return true;
        }
        // What waits for the end of the batch is not in the way of what comes after it.
        turn();
        return settings.allows(ready.count() + 1, ready.bytes() + bytes);
    }

    /** Replication put an older message into the state (merge-back): it is ready. */
    public void merged(MessageId id) {
        executor.assertInside();
        ready.added(id);
        planTurn();
    }

    /** Opens a subscription. @throws SubscriptionRefusedException when exclusive use forbids it */
    public LeaderSubscription subscribe(Subscriber subscriber, SubscriptionOptions options) {
        executor.assertInside();
        consumers.admit(options);
        SubscriptionState subscription = new SubscriptionState(this, executor, subscriber, options);
        consumers.add(subscription);
        planTurn();
        return subscription;
    }

    /**
     * Takes one message for a passive subscription. The stage completes on the subscriber's executor, after the delivery.
     *
     * @return messages left ready, or -1 when there was none
     */
    public CompletionStage<Long> get(LeaderSubscription passive) {
        executor.assertInside();
        CompletableFuture<Long> answer = new CompletableFuture<>();
        if (isClosed) {
            answer.completeExceptionally(new QueueUnavailableException(LEADER_CHANGED));
            return answer;
        }
        expiry.used();
        gets.add(new PendingGet((SubscriptionState) passive, answer));
        if (!isPaused) {
            serveGets();
        }
        planTurn();
        return answer;
    }

    private void serveGets() {
        departures.expire(true);
        while (!gets.isEmpty()) {
            SubscriptionState subscription = gets.element().subscription();
            long left = -1;
            if (subscription.isOpen() && ready.hasFirst() && !departures.isHeadExpired()) {
                Message message = ready.message();
                if (message == null) {
                    readAhead.need(ready.first());
                    return;
                }
                left = ready.count() - 1;
                CompletableFuture<Long> answer = gets.remove().answer();
                deliverFirst(subscription, message);
                answer(subscription, answer, left);
            } else {
                answer(subscription, gets.remove().answer(), left);
            }
        }
    }

    private static void answer(SubscriptionState subscription, CompletableFuture<Long> answer, long left) {
        subscription.afterDeliveries(() -> answer.complete(left));
    }

    // Turns.

    private void planTurn() {
        if (isInTurn) {
            // A subscriber that settles while it is delivered to must not make a turn endless.
            isTurnWanted = true;
        } else if (!isTurnPlanned && !isClosed) {
            isTurnPlanned = true;
            executor.atEndOfBatch(turn);
        }
    }

    private void turn() {
        isTurnPlanned = false;
        if (isClosed || isInTurn) {
            return;
        }
        isInTurn = true;
        usedAtMillis = clock.currentTimeMillis();
        isTurnWanted = false;
        if (!isPaused) {
            boolean isMoreToDo = departures.expire(true);
            isMoreToDo |= deliver();
            isMoreToDo |= departures.expire(false);
            isMoreToDo |= departures.dropHead();
            departures.endTurn(lastPublished.epoch(), lastPublished.index());
            // What subscribers did meanwhile may have asked for a turn already.
            if (isMoreToDo) {
                isTurnWanted = true;
            }
        }
        settled.flush();
        deadLetters.logged(settled.last());
        send();
        isInTurn = false;
        if (isTurnWanted && !isTurnPlanned) {
            isTurnPlanned = true;
            executor.execute(turn);
        }
    }

    /** @return whether there is more to deliver than a turn may */
    private boolean deliver() {
        if (!gets.isEmpty()) {
            serveGets();
        }
        int delivered = 0;
        while (delivered < TURN_DELIVERIES_MAX && deliverOne()) {
            delivered++;
        }
        if (delivered > 0 && ready.hasFirst()) {
            readAhead.advance(ready.first());
        }
        return delivered == TURN_DELIVERIES_MAX;
    }

    private boolean deliverOne() {
        DeliveryScheduler scheduler = consumers.scheduler();
        if (isClosed || !ready.hasFirst() || !scheduler.hasNext()) {
            return false;
        } else if (departures.isHeadExpired() || deadLetters.isOverfull()) {
            return false;
        }
        Message message = ready.message();
        if (message == null) {
            readAhead.need(ready.first());
            return false;
        }
        SubscriptionState subscription = scheduler.next();
        if (subscription == null) {
            return false;
        }
        deliverFirst(subscription, message);
        scheduler.activate(subscription);
        return true;
    }

    private void deliverFirst(SubscriptionState subscription, Message message) {
        boolean isRedelivered = ready.isRedelivered();
        long epoch = ready.first().epoch;
        long index = ready.first().index;
        if (ready.takeFirst()) {
            readAhead.used();
        }
        counters.delivered(subscription.options(), isRedelivered);
        if (subscription.options().isNoAck()) {
            settled.add(epoch, index, QueueEvent.Reason.ACKED);
        }
        subscription.deliver(message, epoch, index, isRedelivered);
    }

    private void send() {
        for (int i = 0; i < toSend.size(); i++) {
            toSend.get(i).send();
        }
        toSend.clear();
    }

    // Called by subscriptions.

    /** The subscription has begun a batch; it is sent when the turn ends. */
    void toSend(SubscriptionState subscription) {
        toSend.add(subscription);
    }

    /** It may be able to take more. */
    void changed(SubscriptionState subscription) {
        if (subscription.isOpen() && !isClosed) {
            consumers.scheduler().activate(subscription);
            planTurn();
        }
    }

    void settle(SubscriptionState subscription, long from, long to, Subscription.Settlement settlement) {
        UnsettledDeliveries deliveries = subscription.deliveries();
        for (int place = deliveries.placeOf(from);
                place < deliveries.end() && deliveries.number(place) <= to;
                place++) {
            if (deliveries.isUnsettled(place)) {
                settle(deliveries.epoch(place), deliveries.index(place), settlement);
                deliveries.settle(place);
            }
        }
        deliveries.tidy();
        afterVerdict(subscription);
    }

    private void afterVerdict(SubscriptionState subscription) {
        if (!subscription.isOpen() && subscription.unsettled() == 0) {
            consumers.remove(subscription);
        }
        changed(subscription);
        planTurn();
    }

    private void settle(long epoch, long index, Subscription.Settlement settlement) {
        switch (settlement) {
            case ACK:
                counters.acked++;
                settled.add(epoch, index, QueueEvent.Reason.ACKED);
                break;
            case REQUEUE:
                ready.putBack(epoch, index, true);
                break;
            case REJECT:
            default:
                departures.leave(epoch, index, QueueEvent.Reason.REJECTED);
                break;
        }
    }

    void giveBack(SubscriptionState subscription, long number) {
        UnsettledDeliveries deliveries = subscription.deliveries();
        int place = deliveries.placeOf(number);
        if (place < deliveries.end() && deliveries.number(place) == number && deliveries.isUnsettled(place)) {
            ready.putBack(deliveries.epoch(place), deliveries.index(place), false);
            deliveries.settle(place);
            deliveries.tidy();
            afterVerdict(subscription);
        }
    }

    void cancelled(SubscriptionState subscription) {
        boolean wasLast = consumers.cancel(subscription);
        afterVerdict(subscription);
        if (wasLast) {
            expiry.used();
            end.lastConsumerLeft();
        }
    }

    void closed(SubscriptionState subscription) {
        settle(subscription, 1, Long.MAX_VALUE, Subscription.Settlement.REQUEUE);
    }

    // The queue as a whole.

    /** Everything up to the point is committed, on disk too if it has to be. @param last the last event there is */
    public void committed(MessageId point, MessageId last) {
        executor.assertInside();
        deadLetters.committed(point, last);
    }

    /**
     * Acks by id, whoever delivered it: the verdicts of a transaction. What is settled already stays so; what subscriptions
     * have settled before is in the log, too, when this returns.
     */
    public void settle(IdRuns ids) {
        executor.assertInside();
        settled.flush();
        IdRuns held = live.held(ids);
        if (!held.isEmpty()) {
            log.append(new QueueEvent.Settled(held, QueueEvent.Reason.ACKED));
            planTurn();
        }
    }

    /** The ids of all that is out, was delivered before, or may have been. */
    public IdRuns delivered() {
        executor.assertInside();
        settled.flush();
        return ready.delivered();
    }

    /** Removes what is ready. @return how many */
    public long purge() {
        executor.assertInside();
        long count = ready.count();
        if (count > 0) {
            log.append(new QueueEvent.Purged(ready.runs()));
        }
        return count;
    }

    /** What a declaration tells: to ask is to use the queue. */
    public QueueCounts counts() {
        executor.assertInside();
        expiry.used();
        return countsNow();
    }

    private QueueCounts countsNow() {
        // No-ack deliveries of this batch are out of the queue already.
        settled.flush();
        return new QueueCounts(ready.count(), live.count() - ready.count(), consumers.count());
    }

    public QueueStatistics statistics() {
        executor.assertInside();
        QueueCounts counts = countsNow();
        return counters.statistics(counts, live, deadLetters.count(), usedAtMillis, consumers);
    }

    /** No deliveries until {@link #resume}: the node is in doubt about its leadership. */
    public void pause() {
        executor.assertInside();
        isPaused = true;
        expiry.stop();
    }

    public void resume() {
        executor.assertInside();
        isPaused = false;
        expiry.start();
        planTurn();
    }

    /** The leadership ends. All deliveries are void; subscribers are not told: their origins move them. */
    public void close() {
        executor.assertInside();
        isClosed = true;
        readAhead.close();
        deadLetters.close();
        departures.stop();
        expiry.stop();
        consumers.all().forEach(SubscriptionState::end);
        for (PendingGet get : gets) {
            get.subscription()
                    .afterDeliveries(
                            () -> get.answer().completeExceptionally(new QueueUnavailableException(LEADER_CHANGED)));
        }
        gets.clear();
        live.putAllBack();
    }

    /** The queue is deleted: ends all subscriptions with {@link Subscriber.CancelReason#QUEUE_DELETED}. */
    public void delete() {
        List<SubscriptionState> open = new ArrayList<>(consumers.all());
        open.removeIf(each -> !each.isOpen());
        close();
        for (SubscriptionState each : open) {
            each.afterDeliveries(() -> each.subscriber().cancelled(Subscriber.CancelReason.QUEUE_DELETED));
        }
    }
}
