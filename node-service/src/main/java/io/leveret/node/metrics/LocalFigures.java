package io.leveret.node.metrics;

import io.leveret.model.QueueName;
import io.leveret.model.view.ChannelView;
import io.leveret.model.view.ConnectionReference;
import io.leveret.model.view.ConnectionView;
import io.leveret.model.view.ConsumerView;
import io.leveret.model.view.MessageStats;
import io.leveret.model.view.MessageStats.Count;
import io.leveret.model.view.MessageStats.Counter;
import io.leveret.model.view.OverviewView.ChurnRates;
import io.leveret.model.view.QueueFigures;
import io.leveret.node.amqp.server.ChannelStatistics;
import io.leveret.node.amqp.server.ConnectionRegistry;
import io.leveret.node.amqp.server.ConnectionStatistics;
import io.leveret.node.amqp.server.TlsSession;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.queue.QueueStatistics;
import io.leveret.node.broker.queue.QueueStatistics.ConsumerStatistics;
import io.leveret.node.broker.vhost.QueueDirectory;
import io.leveret.node.metrics.NodeReport.Part;
import io.leveret.node.runtime.NodeClock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What this node counts, as the views show it. Any thread; figures are read by their owners, a moment later. */
public final class LocalFigures {
    private static final DateTimeFormatter TIMES =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS+00:00").withZone(ZoneOffset.UTC);

    private final NodeFacts facts;
    private final ConnectionRegistry connections;
    private final QueueDirectory queues;
    private final BooleanSupplier isPaused;
    private final Rates rates;
    private final ProcessFigures process;

    public LocalFigures(
            NodeFacts facts,
            ConnectionRegistry connections,
            QueueDirectory queues,
            NodeClock clock,
            BooleanSupplier isPaused) {
        this.facts = facts;
        this.connections = connections;
        this.queues = queues;
        this.isPaused = isPaused;
        this.rates = new Rates(clock);
        this.process = new ProcessFigures(facts, clock, rates);
    }

    /** Why publishers are blocked, here as on every node; null when they are not. */
    public @Nullable String blockedBy() {
        return connections.alarm();
    }

    /**
     * The parts asked for.
     *
     * @param led the queues that this node leads, of those that are asked for
     */
    public CompletionStage<NodeReport> report(Set<Part> parts, Collection<QueueName> led) {
        CompletionStage<@Nullable List<QueueReport>> queueReports =
                parts.contains(Part.QUEUES) ? queueReports(led) : none();
        CompletionStage<@Nullable List<ConnectionStatistics>> open =
                parts.contains(Part.CONNECTIONS) ? connections.connections().thenApply(list -> list) : none();
        CompletionStage<@Nullable List<ChannelStatistics>> channels =
                parts.contains(Part.CHANNELS) ? connections.channels().thenApply(list -> list) : none();
        return queueReports
                .thenCombine(open, Gathered::new)
                .thenCombine(
                        channels,
                        (gathered, list) -> new NodeReport(
                                facts.node(),
                                gathered.queues,
                                gathered.connections == null
                                        ? null
                                        : gathered.connections.stream()
                                                .map(this::connection)
                                                .toList(),
                                list == null
                                        ? null
                                        : list.stream().map(this::channel).toList(),
                                list == null
                                        ? null
                                        : list.stream()
                                                .flatMap(each -> consumers(each).stream())
                                                .toList(),
                                parts.contains(Part.NODE) ? process.now(connections.size()) : null,
                                parts.contains(Part.NODE) ? churn() : null,
                                facts.version(),
                                isPaused.getAsBoolean()));
    }

    /** What is there while the channels are asked. */
    private record Gathered(
            @Nullable List<QueueReport> queues, @Nullable List<ConnectionStatistics> connections) {}

    private static <T> CompletionStage<@Nullable T> none() {
        return CompletableFuture.completedFuture(null);
    }

    private ChurnRates churn() {
        ConnectionRegistry.Churn churn = connections.churn();
        return new ChurnRates(
                churn.connectionsOpened(),
                churn.connectionsClosed(),
                churn.channelsOpened(),
                churn.channelsClosed(),
                0,
                0,
                0);
    }

    private CompletionStage<@Nullable List<QueueReport>> queueReports(Collection<QueueName> led) {
        List<CompletableFuture<@Nullable QueueReport>> asked = new ArrayList<>();
        for (QueueName name : led) {
            QueueHandle handle = queues.find(name);
            if (handle != null) {
                asked.add(handle.statistics()
                        .thenApply(statistics -> statistics == null ? null : queue(name, statistics))
                        // A queue that lost its leader in this moment has no figures.
                        .exceptionally(fault -> null)
                        .toCompletableFuture());
            }
        }
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(nothing -> asked.stream()
                        .map(CompletableFuture::join)
                        .filter(Objects::nonNull)
                        .toList());
    }

    private QueueReport queue(QueueName name, QueueStatistics queue) {
        String id = name.vhost() + "/" + name.value();
        List<ConsumerStatistics> consumers = queue.consumers();
        return new QueueReport(
                name.vhost().value(),
                name.value(),
                figures(id, queue),
                queueStats(id, queue),
                TIMES.format(Instant.ofEpochMilli(queue.idleSinceMillis())),
                consumers.stream()
                        .filter(ConsumerStatistics::isActive)
                        .map(ConsumerStatistics::consumerId)
                        .collect(Collectors.toSet()),
                consumers.stream()
                        .filter(ConsumerStatistics::isExclusive)
                        .map(ConsumerStatistics::consumerTag)
                        .findFirst()
                        .orElse(null),
                consumers.stream()
                        .filter(ConsumerStatistics::isActive)
                        .map(ConsumerStatistics::consumerTag)
                        .toList());
    }

    private QueueFigures figures(String id, QueueStatistics queue) {
        long messages = queue.ready() + queue.unacked();
        long bytes = queue.readyBytes() + queue.unackedBytes();
        return new QueueFigures(
                messages,
                rates.rate(id, "messages", messages),
                queue.ready(),
                rates.rate(id, "messages_ready", queue.ready()),
                queue.unacked(),
                rates.rate(id, "messages_unacknowledged", queue.unacked()),
                queue.persistentMessages(),
                queue.messagesInMemory(),
                messages - queue.messagesInMemory(),
                bytes,
                queue.readyBytes(),
                queue.unackedBytes(),
                null,
                queue.bytesInMemory(),
                Math.max(0, bytes - queue.bytesInMemory()),
                queue.consumers().size(),
                null,
                null,
                queue.bytesInMemory());
    }

    private MessageStats queueStats(String id, QueueStatistics queue) {
        Map<Counter, Count> counts = new EnumMap<>(Counter.class);
        if (queue.published() > 0) {
            count(counts, id, Counter.PUBLISH, queue.published());
        }
        long given = queue.delivered() + queue.deliveredNoAck() + queue.got() + queue.gotNoAck();
        if (given > 0) {
            count(counts, id, Counter.ACK, queue.acked());
            count(counts, id, Counter.DELIVER, queue.delivered());
            count(counts, id, Counter.DELIVER_NO_ACK, queue.deliveredNoAck());
            count(counts, id, Counter.GET, queue.got());
            count(counts, id, Counter.GET_NO_ACK, queue.gotNoAck());
            count(counts, id, Counter.DELIVER_GET, given);
            count(counts, id, Counter.REDELIVER, queue.redelivered());
        }
        return new MessageStats(counts);
    }

    private void count(Map<Counter, Count> counts, String id, Counter counter, long total) {
        counts.put(counter, new Count(total, rates.perSecond(id, counter.word(), total)));
    }

    private ConnectionView connection(ConnectionStatistics connection) {
        String id = connection.name();
        TlsSession tls = connection.tls();
        return new ConnectionView(
                id,
                facts.node(),
                connection.vhost(),
                connection.user(),
                connection.user(),
                connection.state(),
                "network",
                "AMQP 0-9-1",
                connection.authMechanism(),
                connection.host(),
                connection.port(),
                connection.peerHost(),
                connection.peerPort(),
                tls != null,
                tls == null ? "" : tls.protocol(),
                tls == null ? "" : tls.keyExchange(),
                tls == null ? "" : tls.cipher(),
                tls == null ? "" : tls.hash(),
                ofPeer(tls, TlsSession.Peer::subject),
                ofPeer(tls, TlsSession.Peer::issuer),
                ofPeer(tls, TlsSession.Peer::validity),
                connection.channels(),
                connection.channelMax(),
                connection.frameMax(),
                connection.heartbeatSeconds(),
                connection.connectedAtMillis(),
                withoutNulls(connection.clientProperties()),
                connection.userProvidedName(),
                connection.receivedBytes(),
                rates.rate(id, "recv_oct", connection.receivedBytes()),
                connection.receivedFrames(),
                connection.sentBytes(),
                rates.rate(id, "send_oct", connection.sentBytes()),
                connection.sentFrames(),
                connection.sendPendingBytes());
    }

    private static @Nullable String ofPeer(@Nullable TlsSession tls, Function<TlsSession.Peer, String> part) {
        if (tls == null) {
            return "";
        }
        return tls.peer() == null ? null : part.apply(tls.peer());
    }

    private static Map<String, Object> withoutNulls(Map<String, @Nullable Object> properties) {
        return properties.entrySet().stream()
                .filter(entry -> entry.getValue() != null)
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> Objects.requireNonNull(entry.getValue())));
    }

    private ChannelView channel(ChannelStatistics channel) {
        return new ChannelView(
                channel.name(),
                channel.number(),
                facts.node(),
                channel.vhost(),
                channel.user(),
                channel.user(),
                channel.state(),
                channel.isConfirm(),
                channel.isTransactional(),
                channel.prefetch(),
                channel.globalPrefetch(),
                channel.consumers().size(),
                channel.unacked(),
                channel.unconfirmed(),
                0,
                0,
                new ConnectionReference(channel.connectionName(), channel.peerHost(), channel.peerPort()),
                channelStats(channel),
                null);
    }

    private MessageStats channelStats(ChannelStatistics channel) {
        ChannelStatistics.Counters counters = channel.counters();
        Map<Counter, Count> counts = new EnumMap<>(Counter.class);
        String id = channel.name();
        if (counters.published() > 0) {
            count(counts, id, Counter.PUBLISH, counters.published());
            count(counts, id, Counter.CONFIRM, counters.confirmed());
            count(counts, id, Counter.RETURN_UNROUTABLE, counters.returnedUnroutable());
            count(counts, id, Counter.DROP_UNROUTABLE, counters.droppedUnroutable());
        }
        long given = counters.delivered() + counters.deliveredNoAck() + counters.got() + counters.gotNoAck();
        if (given + counters.gotEmpty() > 0) {
            count(counts, id, Counter.ACK, counters.acked());
            count(counts, id, Counter.DELIVER, counters.delivered());
            count(counts, id, Counter.DELIVER_NO_ACK, counters.deliveredNoAck());
            count(counts, id, Counter.GET, counters.got());
            count(counts, id, Counter.GET_NO_ACK, counters.gotNoAck());
            count(counts, id, Counter.GET_EMPTY, counters.gotEmpty());
            count(counts, id, Counter.DELIVER_GET, given);
            count(counts, id, Counter.REDELIVER, counters.redelivered());
        }
        return new MessageStats(counts);
    }

    private List<ConsumerReport> consumers(ChannelStatistics channel) {
        return channel.consumers().stream()
                .map(consumer -> new ConsumerReport(
                        consumer.consumerId(),
                        new ConsumerView(
                                consumer.consumerTag(),
                                new ConsumerView.QueueReference(
                                        consumer.queue().value(),
                                        consumer.queue().vhost().value()),
                                new ConsumerView.ChannelReference(
                                        channel.name(),
                                        channel.number(),
                                        facts.node(),
                                        channel.user(),
                                        channel.connectionName(),
                                        channel.peerHost(),
                                        channel.peerPort()),
                                !consumer.isNoAck(),
                                consumer.isExclusive(),
                                true,
                                "up",
                                consumer.prefetch(),
                                withoutNulls(consumer.arguments()))))
                .toList();
    }
}
