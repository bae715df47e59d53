package io.leveret.node.metrics;

import io.leveret.model.QueueName;
import io.leveret.model.view.ConnectionReference;
import io.leveret.model.view.ConnectionView;
import io.leveret.model.view.CounterSet;
import io.leveret.node.amqp.server.ChannelStatistics;
import io.leveret.node.amqp.server.ConnectionRegistry;
import io.leveret.node.amqp.server.ConnectionStatistics;
import io.leveret.node.amqp.server.TlsSession;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.vhost.QueueDirectory;
import io.leveret.node.metrics.NodeReport.Part;
import io.leveret.node.runtime.NodeClock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
    static final DateTimeFormatter TIMES =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS+00:00").withZone(ZoneOffset.UTC);

    private final NodeFacts facts;
    private final ConnectionRegistry connections;
    private final QueueDirectory queues;
    private final BooleanSupplier isPaused;
    private final Rates rates;
    private final ProcessFigures process;
    private final QueueChurn queueChurn;
    private final QueueReports queueReports;
    private final ChannelReports channelReports;
    private final ExchangeReports exchanges;

    public LocalFigures(
            NodeFacts facts,
            ConnectionRegistry connections,
            QueueDirectory queues,
            QueueChurn queueChurn,
            NodeClock clock,
            BooleanSupplier isPaused) {
        this.facts = facts;
        this.connections = connections;
        this.queues = queues;
        this.isPaused = isPaused;
        this.rates = new Rates(clock);
        this.queueChurn = queueChurn;
        this.queueReports = new QueueReports(rates);
        this.channelReports = new ChannelReports(facts.node(), rates);
        this.exchanges = new ExchangeReports(connections, rates);
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
     * @param owners ids of the connections that own one of them
     */
    public CompletionStage<NodeReport> report(Set<Part> parts, Collection<QueueName> led, Set<String> owners) {
        CompletionStage<@Nullable List<QueueReport>> queueReports =
                parts.contains(Part.QUEUES) ? queueReports(led) : none();
        CompletionStage<@Nullable List<ConnectionStatistics>> open =
                parts.contains(Part.CONNECTIONS) ? connections.connections().thenApply(list -> list) : none();
        CompletionStage<@Nullable List<ChannelStatistics>> channels =
                parts.contains(Part.CHANNELS) || parts.contains(Part.EXCHANGES)
                        ? connections.channels().thenApply(list -> list)
                        : none();
        return queueReports
                .thenCombine(open, Gathered::new)
                .thenCombine(
                        channels,
                        (gathered, list) -> new NodeReport(
                                facts.node(),
                                gathered.queues,
                                references(connections.owners(owners)),
                                gathered.connections == null
                                        ? null
                                        : gathered.connections.stream()
                                                .map(this::connection)
                                                .toList(),
                                list == null || !parts.contains(Part.CHANNELS)
                                        ? null
                                        : list.stream()
                                                .map(each -> channelReports.view(each, parts.contains(Part.DETAILS)))
                                                .toList(),
                                list == null || !parts.contains(Part.CHANNELS)
                                        ? null
                                        : list.stream()
                                                .flatMap(each -> channelReports.consumers(each).stream())
                                                .toList(),
                                parts.contains(Part.NODE) ? process.now(connections.size()) : null,
                                parts.contains(Part.NODE) ? churn() : null,
                                parts.contains(Part.NODE) ? process.counters() : null,
                                parts.contains(Part.NODE) ? ProcessFigures.memory() : null,
                                parts.contains(Part.EXCHANGES) && list != null ? exchanges.reports(list) : null,
                                facts.version(),
                                isPaused.getAsBoolean(),
                                null));
    }

    private static @Nullable Map<String, ConnectionReference> references(Map<String, ConnectionRegistry.Named> named) {
        if (named.isEmpty()) {
            return null;
        }
        Map<String, ConnectionReference> references = new HashMap<>();
        named.forEach((id, each) ->
                references.put(id, new ConnectionReference(each.name(), each.peerHost(), each.peerPort())));
        return references;
    }

    /** What is there while the channels are asked. */
    private record Gathered(
            @Nullable List<QueueReport> queues, @Nullable List<ConnectionStatistics> connections) {}

    private static <T> CompletionStage<@Nullable T> none() {
        return CompletableFuture.completedFuture(null);
    }

    private CounterSet churn() {
        ConnectionRegistry.Churn churn = connections.churn();
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("channel_closed", churn.channelsClosed());
        counts.put("channel_created", churn.channelsOpened());
        counts.put("connection_closed", churn.connectionsClosed());
        counts.put("connection_created", churn.connectionsOpened());
        counts.put("queue_created", queueChurn.created());
        counts.put("queue_declared", queueChurn.declared());
        counts.put("queue_deleted", queueChurn.deleted());
        return rates.counters(facts.node(), counts);
    }

    private CompletionStage<@Nullable List<QueueReport>> queueReports(Collection<QueueName> led) {
        List<CompletableFuture<@Nullable QueueReport>> asked = new ArrayList<>();
        for (QueueName name : led) {
            QueueHandle handle = queues.find(name);
            if (handle != null) {
                asked.add(handle.statistics()
                        .thenApply(statistics -> statistics == null ? null : queueReports.report(name, statistics))
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

    static Map<String, Object> withoutNulls(Map<String, @Nullable Object> properties) {
        return properties.entrySet().stream()
                .filter(entry -> entry.getValue() != null)
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> Objects.requireNonNull(entry.getValue())));
    }
}
