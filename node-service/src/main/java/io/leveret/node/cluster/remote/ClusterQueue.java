package io.leveret.node.cluster.remote;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.broker.queue.QueueCounts;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.queue.QueueStatistics;
import io.leveret.node.broker.queue.QueueUnavailableException;
import io.leveret.node.broker.queue.Subscriber;
import io.leveret.node.broker.queue.Subscription;
import io.leveret.node.broker.queue.SubscriptionOptions;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.peer.PeerLink;
import io.leveret.node.cluster.replication.ChannelKey;
import io.leveret.node.cluster.replication.NodeNumbers;
import io.leveret.node.cluster.replication.OriginMessage;
import io.leveret.node.cluster.replication.QueueHost;
import io.leveret.node.runtime.Cancellable;
import io.leveret.node.runtime.SerialExecutor;
import java.util.Comparator;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One life of a queue as the clients of this node see it. It knows where the queue is led, keeps the origin of each channel
 * that publishes to it and each subscription, and brings them to every new leader. Any thread; what it keeps belongs to the
 * executors of publishers and subscribers.
 */
final class ClusterQueue implements QueueHandle {
    /** The leader has not yet heard of its leadership, or this node of another: metadata is on its way. */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The queue's replica on this node is being made: metadata has just been applied. */
    private static final long HOST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long STATISTICS_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

    /**
     * Where the queue is led.
     *
     * @param node null while nobody leads
     * @param isLost nobody leads, and nobody but the queue's only node could
     */
    record Lead(long version, long epoch, @Nullable NodeName node, boolean isLost) {
        boolean isLike(Lead other) {
            return epoch == other.epoch && isLost == other.isLost && Objects.equals(node, other.node);
        }
    }

    private final QueueName name;
    private final long incarnation;
    private final boolean isDurable;
    private final ClusterQueueDirectory directory;
    private final ConcurrentHashMap<Publisher, PublisherOrigin> origins = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Long, PublisherOrigin> byChannel = new ConcurrentHashMap<>();
    /** In the order they came, in which they come to each new leader: the first may be the single active consumer. */
    private final Set<OriginSubscription> subscriptions =
            new ConcurrentSkipListSet<>(Comparator.comparingLong(OriginSubscription::serial));

    private final AtomicLong subscribed = new AtomicLong();
    private volatile Lead lead;
    private volatile NodeName home;
    private volatile boolean isDeleted;

    ClusterQueue(QueuePlacement placement, boolean isDurable, ClusterQueueDirectory directory) {
        this.name = placement.queue();
        this.incarnation = placement.incarnation();
        this.isDurable = isDurable;
        this.directory = directory;
        this.home = homeOf(placement, directory.self());
        this.lead = leadOf(placement);
    }

    private static Lead leadOf(QueuePlacement placement) {
        return new Lead(
                placement.version(),
                placement.epoch(),
                placement.leader(),
                placement.leader() == null && placement.replicas().size() <= 1);
    }

    private static NodeName homeOf(QueuePlacement placement, NodeName otherwise) {
        if (placement.leader() != null) {
            return placement.leader();
        }
        return placement.replicas().isEmpty()
                ? otherwise
                : placement.replicas().get(0).node();
    }

    @Override
    public QueueName name() {
        return name;
    }

    long incarnation() {
        return incarnation;
    }

    Lead lead() {
        return lead;
    }

    boolean isDeleted() {
        return isDeleted;
    }

    long nanoTime() {
        return directory.nanoTime();
    }

    long publishDeadlineNanos() {
        return directory.publishDeadlineNanos();
    }

    QueueUnavailableException unavailable() {
        return isDeleted
                ? gone()
                : new QueueUnavailableException("home node '" + home + "' of " + (isDurable ? "durable " : "")
                        + "queue " + name + " is down or inaccessible");
    }

    QueueUnavailableException gone() {
        return new QueueUnavailableException("no queue " + name);
    }

    // Metadata and links; on the thread that tells of them.

    /** The placement changed. */
    void placed(QueuePlacement placement) {
        Lead before = lead;
        Lead now = leadOf(placement);
        if (now.version() < before.version()) {
            return;
        }
        home = homeOf(placement, home);
        lead = now;
        if (!now.isLike(before)) {
            reconnect();
            if (now.isLost()) {
                subscriptions.forEach(each -> each.subscriber().executor().execute(() -> {
                    if (lead.isLost()) {
                        each.lost();
                    }
                }));
            }
        }
    }

    /** A link to a node is there: whoever waits for it goes on. */
    void reachable(NodeName node) {
        if (node.equals(lead.node())) {
            reconnect();
        }
    }

    /** Also for channels that are closed: what they published is not answered yet. */
    private void reconnect() {
        byChannel.values().forEach(each -> each.executor().execute(() -> connect(each)));
        subscriptions.forEach(each -> each.subscriber().executor().execute(() -> connect(each)));
    }

    /** The queue is no more. */
    void deleted() {
        isDeleted = true;
        byChannel.values().forEach(each -> each.executor().execute(each::queueDeleted));
        subscriptions.forEach(each -> each.subscriber().executor().execute(each::queueDeleted));
    }

    // Publishing.

    @Override
    public void publish(Publisher publisher, long number, Message message) {
        PublisherOrigin origin = origin(publisher);
        if (lead.isLost() && publisher.letterSource() == null) {
            publisher.answered(number, false);
        } else {
            origin.publish(number, message, false);
        }
    }

    @Override
    public void publishAgain(Publisher publisher, long number, Message message) {
        origin(publisher).publish(number, message, true);
    }

    @Override
    public void settle(Publisher publisher, long number, IdRuns ids) {
        PublisherOrigin origin = origin(publisher);
        if (lead.isLost()) {
            publisher.answered(number, false);
        } else {
            origin.settle(number, ids);
        }
    }

    private PublisherOrigin origin(Publisher publisher) {
        PublisherOrigin origin = origins.get(publisher);
        return origin == null ? newOrigin(publisher) : origin;
    }

    private PublisherOrigin newOrigin(Publisher publisher) {
        ChannelKey channel = new ChannelKey(directory.selfNumber(), directory.boot(), publisher.channelSerial());
        PublisherOrigin origin = new PublisherOrigin(this, publisher, channel, publishDeadlineNanos());
        origins.put(publisher, origin);
        byChannel.put(channel.channel(), origin);
        connect(origin);
        return origin;
    }

    @Override
    public void publisherClosed(Publisher publisher) {
        PublisherOrigin origin = origins.remove(publisher);
        if (origin != null) {
            origin.close();
        }
    }

    @Override
    public void lettersSettled(Publisher publisher, MessageId floor, IdRuns letters) {
        PublisherOrigin origin = origins.get(publisher);
        if (origin != null) {
            origin.lettersSettled(floor, letters);
        }
    }

    void forget(PublisherOrigin origin) {
        origins.remove(origin.publisher(), origin);
        byChannel.remove(origin.channel().channel(), origin);
    }

    private void connect(PublisherOrigin origin) {
        if (isDeleted) {
            origin.queueDeleted();
            return;
        }
        Lead now = lead;
        if (now.node() == null) {
            if (now.isLost()) {
                origin.refuseAll();
            } else {
                origin.leadNowhere();
            }
            return;
        }
        if (now.node().equals(directory.self())) {
            QueueHost host = directory.hosts().host(incarnation);
            if (host == null) {
                origin.leadNowhere();
                if (!origin.isFinished()) {
                    origin.executor().schedule(() -> connect(origin), HOST_NANOS);
                }
            } else {
                origin.leadHere(host, directory.selfNumber(), now.epoch());
            }
            return;
        }
        PeerLink link = directory.transport().link(now.node());
        int number = directory.number(now.node());
        if (link == null || number == NodeNumbers.UNKNOWN) {
            origin.leadNowhere();
        } else {
            origin.leadThere(link.outbox(origin.executor()), number, now.epoch());
        }
    }

    /** A leader answers a channel of this node. On any executor. */
    void toOrigin(SerialExecutor from, OriginMessage.ToOrigin message) {
        PublisherOrigin origin = byChannel.get(message.channel().channel());
        if (origin == null) {
            return;
        }
        if (from == origin.executor()) {
            origin.received(message);
        } else {
            from.handOver(origin.executor(), () -> origin.received(message));
        }
    }

    // Consuming.

    @Override
    public CompletionStage<Subscription> subscribe(Subscriber subscriber, SubscriptionOptions options) {
        OriginSubscription subscription =
                new OriginSubscription(this, subscriber, options, subscribed.incrementAndGet());
        subscriptions.add(subscription);
        subscriber.executor().run(() -> {
            connect(subscription);
            if (!subscription.opening().isDone()) {
                Cancellable deadline =
                        subscriber.executor().schedule(() -> expire(subscription), publishDeadlineNanos());
                subscription.opening().whenComplete((opened, failure) -> deadline.cancel());
            }
        });
        return subscription.opening();
    }

    private void expire(OriginSubscription subscription) {
        if (!subscription.opening().isDone()) {
            subscription.unavailable(unavailable());
        }
    }

    void forget(OriginSubscription subscription) {
        subscriptions.remove(subscription);
    }

    /** Its line died; tries again soon. On the subscriber's executor. */
    void retry(OriginSubscription subscription) {
        subscription.subscriber().executor().schedule(() -> connect(subscription), RETRY_NANOS);
    }

    private void connect(OriginSubscription subscription) {
        Lead now = lead;
        if (isDeleted) {
            subscription.queueDeleted();
        } else if (subscription.isEnded()) {
            return;
        } else if (now.node() == null) {
            subscription.disconnect();
            if (now.isLost()) {
                subscription.unavailable(unavailable());
            }
        } else if (now.node().equals(directory.self())) {
            QueueHost host = directory.hosts().host(incarnation);
            if (host == null) {
                subscription.subscriber().executor().schedule(() -> connect(subscription), HOST_NANOS);
            } else if (subscription.wants(now.epoch())) {
                subscription.connect(
                        now.epoch(),
                        new LocalLine(
                                host, now.epoch(), subscription, subscription.subscriber(), subscription.options()));
            }
        } else {
            PeerLink link = directory.transport().link(now.node());
            if (link != null && subscription.wants(now.epoch())) {
                PeerLine line = directory.service().line(link, incarnation, now.epoch(), subscription);
                subscription.connect(now.epoch(), line);
                if (!link.isOpen()) {
                    directory.service().forget(line);
                    subscription.disconnected(line);
                }
            }
        }
    }

    @Override
    public CompletionStage<Long> get(Subscription passive) {
        OriginSubscription subscription = (OriginSubscription) passive;
        CompletableFuture<Long> answer = new CompletableFuture<>();
        subscription.subscriber().executor().run(() -> {
            if (lead.isLost()) {
                answer.completeExceptionally(unavailable());
                return;
            }
            boolean isAsked = subscription.get(answer);
            if (!isAsked) {
                expectLeader(subscription);
            }
        });
        return answer;
    }

    /** Gets wait for a leader, but not for ever. On the subscriber's executor. */
    void expectLeader(OriginSubscription subscription) {
        subscription
                .subscriber()
                .executor()
                .schedule(() -> subscription.unavailable(unavailable()), publishDeadlineNanos());
    }

    // Rare questions.

    @Override
    public CompletionStage<QueueCounts> counts() {
        return directory.questions().ask(this, new QueueQuestion.Counts(), publishDeadlineNanos());
    }

    @Override
    public CompletionStage<Long> purge() {
        return directory.questions().ask(this, new QueueQuestion.Purge(), publishDeadlineNanos());
    }

    @Override
    public CompletionStage<@Nullable QueueStatistics> statistics() {
        return directory
                .questions()
                .ask(this, new QueueQuestion.Statistics(), STATISTICS_NANOS_MAX)
                .handle((answer, failure) -> failure == null ? answer : null);
    }
}
