package io.leveret.node.amqp.server;

import io.leveret.node.amqp.wire.AmqpException;
import io.leveret.node.amqp.wire.BasicMethod;
import io.leveret.node.amqp.wire.DeliverTemplate;
import io.leveret.node.amqp.wire.ReplyCode;
import io.leveret.node.broker.auth.Permission;
import io.leveret.node.broker.message.FieldTableCodec;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.queue.Subscription;
import io.leveret.node.broker.queue.Subscription.Settlement;
import io.leveret.node.broker.queue.SubscriptionOptions;
import io.leveret.node.broker.queue.SubscriptionRefusedException;
import io.leveret.node.broker.vhost.ReplyAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a channel: consumers, basic.get, and the settling of what they brought. Enforces the channel's global
 * prefetch; that of a single consumer is its queue's business.
 *
 * <p>Bound: {@link #UNACKED_MAX} deliveries for channels that set no prefetch.
 */
final class ChannelConsumers {
    /** For clients that never settle and set no limit: some 40 MB of tags, then their consumers wait. */
    static final int UNACKED_MAX = 1 << 20;

    private final AmqpChannel channel;
    private final ConnectionContext context;
    private final ChannelCounters counters;
    private final ChannelTransaction transaction;
    private final UnackedDeliveries<DeliverySession> unacked = new UnackedDeliveries<>();
    private final Map<String, ConsumerSession> consumers = new LinkedHashMap<>();
    private final Map<GetKey, GetSession> gets = new HashMap<>();
    private final DirectReplies replies;
    private int prefetch;
    private int globalPrefetch;
    /** Unsettled deliveries to consumers: those of basic.get do not count against the prefetch. */
    private int unackedOfConsumers;

    private boolean isPaused;
    /** Made when it is asked for: many channels never have anything unsettled for so long. */
    private @Nullable SettleTimeout timeout;

    ChannelConsumers(
            AmqpChannel channel, ConnectionContext context, ChannelCounters counters, ChannelTransaction transaction) {
        this.channel = channel;
        this.context = context;
        this.counters = counters;
        this.transaction = transaction;
        replies = new DirectReplies(this, context);
    }

    /** Direct reply-to on this channel. */
    DirectReplies replies() {
        return replies;
    }

    void qos(BasicMethod.Qos method) {
        if (method.prefetchSize() != 0) {
            throw AmqpException.connection(
                    ReplyCode.NOT_IMPLEMENTED,
                    "prefetch_size!=0 (" + Integer.toUnsignedString(method.prefetchSize()) + ")");
        }
        if (method.isGlobal() || context.isQosPerChannel()) {
            globalPrefetch = method.prefetchCount();
            resumeIfRoom();
        } else {
            prefetch = method.prefetchCount();
        }
        channel.send(new BasicMethod.QosOk());
    }

    void consume(BasicMethod.Consume method) {
        String name = channel.resolveQueue(method.queue());
        boolean isReplies = name.equals(ReplyAddress.NAME);
        if (!isReplies) {
            context.check(Permission.READ, context.queue(name));
        }
        String tag = method.consumerTag().isEmpty() ? context.vhost().generateName("amq.ctag") : method.consumerTag();
        if (consumers.containsKey(tag) || replies.isConsumer(tag)) {
            throw AmqpException.connection(ReplyCode.NOT_ALLOWED, "attempt to reuse consumer tag '" + tag + "'");
        }
        if (isReplies) {
            replies.consume(method, tag, channel.number());
            if (!method.isNoWait()) {
                channel.send(new BasicMethod.ConsumeOk(tag));
            }
            return;
        }
        checkArguments(method.arguments(), name);
        QueueHandle known = context.vhost().findQueue(name, context.owner());
        if (known != null) {
            subscribe(known, tag, method);
        } else {
            channel.await(context.vhost().openQueue(name, context.owner()), queue -> subscribe(queue, tag, method));
        }
    }

    private void subscribe(QueueHandle queue, String tag, BasicMethod.Consume method) {
        SubscriptionOptions options = new SubscriptionOptions(
                channel.name() + "/" + tag,
                tag,
                method.isNoAck(),
                method.isExclusive(),
                method.isNoAck() ? 0 : prefetch,
                false,
                method.arguments());
        ConsumerSession session = new ConsumerSession(this, context, channel.number(), queue, options);
        consumers.put(tag, session);
        channel.await(
                queue.subscribe(session, options),
                subscription -> {
                    session.opened(subscription);
                    if (!method.isNoWait()) {
                        channel.send(new BasicMethod.ConsumeOk(tag));
                    }
                    session.activate();
                    if (consumers.get(tag) != session) {
                        notifyCancelled(tag); // the queue went away in between
                    }
                },
                refusal -> {
                    consumers.remove(tag, session);
                    if (refusal instanceof SubscriptionRefusedException) {
                        String text = "queue " + queue.name() + " in exclusive use";
                        throw AmqpException.channel(ReplyCode.ACCESS_REFUSED, text);
                    }
                    return false;
                });
    }

    private void checkArguments(Map<String, @Nullable Object> arguments, String queue) {
        Object priority = arguments.get("x-priority");
        if (arguments.containsKey("x-priority") && !isInteger(priority)) {
            String text = "\"expected integer, got " + FieldTableCodec.typeName(priority) + "\"";
            throw invalidArgument("x-priority", queue, text);
        }
        Object cancel = arguments.get("x-cancel-on-ha-failover");
        if (arguments.containsKey("x-cancel-on-ha-failover") && !(cancel instanceof Boolean)) {
            String text = "{unacceptable_type," + FieldTableCodec.typeName(cancel) + "}";
            throw invalidArgument("x-cancel-on-ha-failover", queue, text);
        }
    }

    private static boolean isInteger(@Nullable Object value) {
        return value instanceof Integer || value instanceof Long || value instanceof Short || value instanceof Byte;
    }

    private AmqpException invalidArgument(String key, String queue, String what) {
        return AmqpException.channel(
                ReplyCode.PRECONDITION_FAILED,
                "invalid arg '" + key + "' for queue " + context.queue(queue) + ": " + what);
    }

    void cancel(BasicMethod.Cancel method) {
        String tag = method.consumerTag();
        ConsumerSession session = consumers.remove(tag);
        if (session == null) {
            if (replies.isConsumer(tag)) {
                replies.close();
            }
            answerCancel(method);
        } else if (session.options().isNoAck()) {
            // What is on its way counts as settled: it is shown before the answer, which the queue's own answer waits
            // for.
            session.cancelAtQueue();
            Consumer<@Nullable Object> finish = nothing -> {
                session.cancel();
                answerCancel(method);
            };
            channel.await(session.queue().counts(), finish::accept, thrown -> {
                finish.accept(null);
                return true;
            });
        } else {
            session.cancel();
            answerCancel(method);
        }
    }

    private void answerCancel(BasicMethod.Cancel method) {
        if (!method.isNoWait()) {
            channel.send(new BasicMethod.CancelOk(method.consumerTag()));
        }
    }

    /** A queue has ended a consumer of this channel. */
    void cancelledByQueue(ConsumerSession session) {
        String tag = session.options().consumerTag();
        boolean wasKnown = consumers.remove(tag, session);
        if (wasKnown && session.subscription() != null) {
            notifyCancelled(tag);
        }
    }

    private void notifyCancelled(String tag) {
        if (context.isCancelNotified()) {
            channel.send(new BasicMethod.Cancel(tag, true));
        }
    }

    void get(BasicMethod.Get method) {
        String name = channel.resolveQueue(method.queue());
        context.check(Permission.READ, context.queue(name));
        QueueHandle known = context.vhost().findQueue(name, context.owner());
        if (known != null) {
            get(known, method.isNoAck());
        } else {
            channel.await(context.vhost().openQueue(name, context.owner()), queue -> get(queue, method.isNoAck()));
        }
    }

    private void get(QueueHandle queue, boolean isNoAck) {
        GetKey key = new GetKey(queue, isNoAck);
        GetSession known = gets.get(key);
        if (known != null) {
            get(queue, known);
            return;
        }
        GetSession session = new GetSession(this, context.executor(), queue, isNoAck, () -> gets.remove(key));
        SubscriptionOptions options = new SubscriptionOptions(
                channel.name() + "/get" + (isNoAck ? "/no-ack" : ""), "", isNoAck, false, 0, true, Map.of());
        channel.await(
                queue.subscribe(session, options),
                subscription -> {
                    session.opened(subscription);
                    gets.put(key, session);
                    get(queue, session);
                },
                refusal -> {
                    if (refusal instanceof SubscriptionRefusedException) {
                        getEmpty(); // somebody consumes exclusively
                        return true;
                    }
                    return false;
                });
    }

    private void get(QueueHandle queue, GetSession session) {
        Subscription subscription = session.subscription();
        CompletionStage<Long> left =
                subscription == null ? CompletableFuture.completedStage(-1L) : queue.get(subscription);
        channel.await(left, ready -> {
            GetSession.Got got = session.take();
            if (got == null) {
                getEmpty();
                return;
            }
            long tag = session.isNoAck() ? unacked.skip() : unacked.add(session, got.number());
            if (session.isNoAck()) {
                counters.gotNoAck++;
            } else {
                counters.got++;
            }
            counters.redelivered += got.isRedelivered() ? 1 : 0;
            Message message = got.message();
            int count = (int) Math.max(0, Math.min(Integer.MAX_VALUE, ready));
            channel.send(
                    new BasicMethod.GetOk(tag, got.isRedelivered(), message.exchange(), message.routingKey(), count),
                    message);
        });
    }

    private void getEmpty() {
        counters.gotEmpty++;
        channel.send(new BasicMethod.GetEmpty());
    }

    /** One delivery goes to the client. */
    void show(ConsumerSession session, long number, Message message, boolean isRedelivered) {
        long tag;
        if (session.options().isNoAck()) {
            tag = unacked.skip();
            counters.deliveredNoAck++;
        } else {
            tag = unacked.add(session, number);
            unackedOfConsumers++;
            counters.delivered++;
        }
        counters.redelivered += isRedelivered ? 1 : 0;
        DeliverTemplate template = session.template();
        context.out().deliver(template, channel.number(), tag, isRedelivered, message);
        if (isPrefetchReached()) {
            pauseForPrefetch();
        }
    }

    /** One answer to a request goes to the client. */
    void showReply(DeliverTemplate template, Message message) {
        counters.deliveredNoAck++;
        context.out().deliver(template, channel.number(), unacked.skip(), false, message);
    }

    boolean isPrefetchReached() {
        return unackedOfConsumers >= (globalPrefetch == 0 ? UNACKED_MAX : globalPrefetch);
    }

    void pauseForPrefetch() {
        if (!isPaused) {
            isPaused = true;
            consumers.values().forEach(ConsumerSession::pause);
        }
    }

    private void resumeIfRoom() {
        if (isPaused && !isPrefetchReached()) {
            isPaused = false;
            new ArrayList<>(consumers.values()).forEach(ConsumerSession::unpause);
        }
    }

    void ack(BasicMethod.Ack method) {
        settle(method.deliveryTag(), method.isMultiple(), Settlement.ACK);
    }

    void nack(BasicMethod.Nack method) {
        settle(method.deliveryTag(), method.isMultiple(), method.isRequeue() ? Settlement.REQUEUE : Settlement.REJECT);
    }

    void reject(BasicMethod.Reject method) {
        settle(method.deliveryTag(), false, method.isRequeue() ? Settlement.REQUEUE : Settlement.REJECT);
    }

    private void settle(long tag, boolean isMultiple, Settlement settlement) {
        boolean isHeld = isTransactional();
        int count = isHeld
                ? unacked.take(
                        tag, isMultiple, (each, from, number) -> transaction.settle(each, from, number, settlement))
                : unacked.settle(tag, isMultiple, (session, from, to) -> settleRange(session, from, to, settlement));
        if (count < 0) {
            throw AmqpException.channel(
                    ReplyCode.PRECONDITION_FAILED, "unknown delivery tag " + Long.toUnsignedString(tag));
        }
        if (settlement == Settlement.ACK && !isHeld) {
            counters.acked += count;
        }
        resumeIfRoom();
    }

    boolean isTransactional() {
        return transaction.isSelected();
    }

    /** A verdict of a transaction takes effect. */
    void apply(DeliverySession session, long from, long to, Settlement settlement) {
        settleRange(session, from, to, settlement);
        session.flushAcks();
        if (settlement == Settlement.ACK) {
            counters.acked += to - from + 1;
        }
    }

    /** All verdicts of a transaction have taken effect. */
    void applied() {
        resumeIfRoom();
    }

    /** A transaction gives back a delivery that it had a verdict on. */
    void restore(long tag, DeliverySession session, long number) {
        unacked.restore(tag, session, number);
    }

    /** Completes when all that this channel has unsettled can be settled for sure. */
    CompletionStage<Void> identify() {
        List<CompletableFuture<Void>> known = new ArrayList<>();
        for (DeliverySession each : sessions()) {
            Subscription subscription = each.subscription();
            if (subscription != null) {
                known.add(subscription.identify().toCompletableFuture());
            }
        }
        return CompletableFuture.allOf(known.toArray(new CompletableFuture<?>[0]));
    }

    /** Also those of cancelled consumers with unsettled deliveries, which are no longer listed. */
    private Set<DeliverySession> sessions() {
        Set<DeliverySession> sessions = new LinkedHashSet<>(consumers.values());
        sessions.addAll(gets.values());
        unacked.forEachSource(sessions::add);
        return sessions;
    }

    private void settleRange(DeliverySession session, long from, long to, Settlement settlement) {
        if (session instanceof ConsumerSession) {
            unackedOfConsumers -= (int) (to - from + 1);
        }
        session.settle(from, to, settlement);
    }

    /** Requeues everything that is unsettled. */
    void recover(boolean isRequeue) {
        if (!isRequeue) {
            throw AmqpException.connection(ReplyCode.NOT_IMPLEMENTED, "requeue=false");
        }
        unacked.settleAll((session, from, to) -> settleRange(session, from, to, Settlement.REQUEUE));
        resumeIfRoom();
    }

    /** The socket takes more. */
    void writable() {
        if (!consumers.isEmpty()) {
            new ArrayList<>(consumers.values()).forEach(ConsumerSession::writable);
        }
    }

    /** The channel is closing: queues take back what is unsettled. */
    void close() {
        replies.close();
        Set<DeliverySession> sessions = sessions();
        unacked.settleAll((session, from, to) -> {});
        consumers.clear();
        gets.clear();
        unackedOfConsumers = 0;
        sessions.forEach(DeliverySession::close);
    }

    /** Whether the client owes the settling of a delivery for too long. */
    boolean isOverdue(long timeoutMillis) {
        long oldest = unacked.oldest();
        if (timeout == null && oldest != 0) {
            timeout = new SettleTimeout(timeoutMillis);
        }
        return timeout != null && timeout.isOverdue(context.clock().nanoTime(), oldest, unacked.nextTag());
    }

    int unacked() {
        return unacked.size();
    }

    int prefetch() {
        return prefetch;
    }

    int globalPrefetch() {
        return globalPrefetch;
    }

    List<ChannelStatistics.Consumer> statistics() {
        List<ChannelStatistics.Consumer> list = new ArrayList<>();
        Consumer<ConsumerSession> add = session -> {
            SubscriptionOptions options = session.options();
            list.add(new ChannelStatistics.Consumer(
                    options.consumerId(),
                    options.consumerTag(),
                    session.queue().name(),
                    options.isNoAck(),
                    options.isExclusive(),
                    options.prefetch(),
                    options.arguments()));
        };
        consumers.values().forEach(add);
        return list;
    }

    /** A queue, and whether its message is settled by being got. */
    private record GetKey(QueueHandle queue, boolean isNoAck) {}
}
