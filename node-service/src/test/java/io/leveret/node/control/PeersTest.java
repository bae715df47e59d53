package io.leveret.node.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.control.ControlSignature;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.model.view.ListenerView;
import io.leveret.node.amqp.server.AmqpServer;
import io.leveret.node.amqp.server.AmqpServerConfig;
import io.leveret.node.broker.auth.Permissions;
import io.leveret.node.broker.auth.UsageElsewhere;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.metadata.SharedMetadata;
import io.leveret.node.control.ClusterView.Selection;
import io.leveret.node.control.LocalReplicas.MirrorProgress;
import io.leveret.node.metrics.LocalFigures;
import io.leveret.node.metrics.NodeFacts;
import io.leveret.node.metrics.QueueChurn;
import io.leveret.node.runtime.EventLoops;
import io.leveret.node.runtime.RecordedFaults;
import io.leveret.node.runtime.SecureRandomness;
import io.leveret.node.runtime.SystemClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a node asks of two others, over real HTTP: each of these answers only when both have been asked. */
@SuppressWarnings("NullAway") // what is not asked for is not there
class PeersTest {
    private static final NodeName SELF = new NodeName("a");
    private static final List<NodeName> PEERS = List.of(new NodeName("b"), new NodeName("c"));

    private final RecordedFaults faults = new RecordedFaults();
    private final EventLoops loops = new EventLoops(1, faults);
    private final SystemClock clock = new SystemClock();
    private final SecureRandomness randomness = new SecureRandomness();
    private final SharedMetadata metadata = new SharedMetadata();
    private final SharedMetadata.Node store = metadata.node(SELF, 1, UUID.randomUUID());
    private final PeerControl peers = new PeerControl(new ControlSignature("a secret for tests"), clock, randomness);
    private final Map<NodeName, HttpServer> servers = new HashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch bothAsked = new CountDownLatch(PEERS.size());
    private final AtomicInteger asked = new AtomicInteger();

    @BeforeEach
    void start() throws IOException {
        metadata.apply(new ClusterCommand.Define(new DefinitionChange.PutVhost(
                new VhostDefinition(QueueName.of("/", "q").vhost(), "", List.of()))));
        up(SELF);
        for (NodeName peer : PEERS) {
            up(peer);
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.setExecutor(threads);
            server.start();
            servers.put(peer, server);
        }
    }

    @AfterEach
    void stop() {
        servers.values().forEach(server -> server.stop(0));
        threads.shutdownNow();
        store.close();
        loops.close();
        faults.assertNone();
    }

    private void up(NodeName node) {
        metadata.apply(new ClusterCommand.NodeUp(node, 1, new UUID(node.hashCode(), 0), false, Set.of()));
    }

    private void answers(NodeName peer, String path, String body) {
        servers.get(peer).createContext("/control" + path, exchange -> {
            asked.incrementAndGet();
            bothAsked.countDown();
            try {
                // Longer than anybody waits for the answer.
                bothAsked.await(1, TimeUnit.MINUTES);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            byte[] bytes = body.getBytes(UTF_8);
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    private ControlScope scope() {
        Map<NodeName, String> addresses = new HashMap<>();
        servers.forEach((node, server) ->
                addresses.put(node, "127.0.0.1:" + server.getAddress().getPort()));
        return new ControlScope(
                store,
                null,
                null,
                null,
                null,
                figures(),
                null,
                null,
                (name, reason) -> false,
                null,
                addresses,
                List.of(new ListenerView(SELF.value(), "amqp", "::", 1)),
                List::of,
                "1",
                randomness,
                loops.next());
    }

    /** Of a node whose memory is low. */
    private LocalFigures figures() {
        AmqpServer amqp = new AmqpServer(
                AmqpServerConfig.of(new InetSocketAddress("127.0.0.1", 0), "test", "1", SELF + "/1"),
                new AmqpServer.Services(null, null, new Permissions(store), null, UsageElsewhere.NOWHERE, () -> false),
                loops,
                clock,
                faults);
        NodeFacts facts = new NodeFacts(
                SELF.value(),
                "1",
                Path.of("."),
                List.of(),
                60,
                0,
                () -> true,
                () -> 2,
                () -> 1,
                () -> false,
                () -> 2,
                () -> 1);
        return new LocalFigures(facts, amqp.connections(), null, new QueueChurn(SELF, () -> 0), clock, () -> false);
    }

    private ClusterView cluster() {
        return new ClusterView(scope(), peers);
    }

    @Test
    void portsOfTheOthersAreAskedAtOnce() {
        for (NodeName peer : PEERS) {
            answers(
                    peer,
                    "/node/listeners",
                    "[{\"node\":\"" + peer + "\",\"protocol\":\"amqp\",\"ip_address\":\"::\",\"port\":5672}]");
        }
        ClusterView cluster = cluster();
        assertThat(OverviewResource.listeners(cluster, cluster.image()))
                .extracting(ListenerView::node)
                .containsExactly("a", "b", "c");
    }

    @Test
    void oneThatDoesNotAnswerIsLeftOut() {
        answers(
                PEERS.get(1),
                "/node/listeners",
                "[{\"node\":\"c\",\"protocol\":\"amqp\",\"ip_address\":\"::\",\"port\":5672}]");
        bothAsked.countDown();
        servers.get(PEERS.get(0)).stop(0);
        ClusterView cluster = cluster();
        assertThat(OverviewResource.listeners(cluster, cluster.image()))
                .extracting(ListenerView::node)
                .containsExactly("a", "c");
    }

    @Test
    void leadersAreAskedAtOnceHowFarTheirMirrorsAre() {
        for (NodeName peer : PEERS) {
            QueueName queue = behind(peer);
            answers(
                    peer,
                    "/node/mirrors",
                    "[{\"vhost\":\"/\",\"queue\":\"" + queue.value() + "\",\"mirrors\":{\"a\":{\"behind\":7}}}]");
        }
        ClusterView cluster = cluster();
        Map<NodeName, MirrorProgress> progress = Map.of(SELF, new MirrorProgress(7L, null, false, null));
        assertThat(SyncProgress.of(cluster, cluster.image(), Selection.ALL))
                .isEqualTo(Map.of(QueueName.of("/", "of-b"), progress, QueueName.of("/", "of-c"), progress));
    }

    /** A queue that the node leads, with a mirror here that does not hold everything. */
    private QueueName behind(NodeName leader) {
        QueueName queue = QueueName.of("/", "of-" + leader);
        metadata.apply(new ClusterCommand.Declare(
                new DefinitionChange.DeclareQueue(new QueueDefinition(queue, true, false, false, Map.of()), null),
                List.of(leader, SELF)));
        ClusterImage image = metadata.image();
        QueuePlacement placement = Objects.requireNonNull(image.placement(queue));
        metadata.apply(new ClusterCommand.Shrink(
                List.of(new ClusterCommand.Shrink.Step(placement.incarnation(), SELF, placement.epoch()))));
        return queue;
    }

    @Test
    void theAlarmsOfThisNodeAreNoQuestionToTheOthers() {
        for (NodeName peer : PEERS) {
            answers(peer, "/node/report", "{\"node\":\"" + peer + "\"}");
        }
        assertThat(health("local-alarms").status()).isEqualTo(503);
        assertThat(asked).hasValue(0);
        assertThat(health("alarms").status()).isEqualTo(503);
        assertThat(asked).hasValue(PEERS.size());
    }

    @Test
    void whoAsksForTheHealthOfAnotherNodeHearsOfItsAlarms() {
        answers(PEERS.get(0), "/node/report", "{\"node\":\"b\",\"figures\":{\"disk_free_alarm\":true}}");
        answers(PEERS.get(1), "/node/report", "{\"node\":\"c\",\"figures\":{\"disk_free_alarm\":false}}");
        Answer ofB = handle(List.of("healthchecks", "node", "b"), List.of("b"));
        assertThat(ofB.status()).isEqualTo(503);
        assertThat(ofB.body().toString()).contains("disk space").doesNotContain("memory");
        assertThat(handle(List.of("healthchecks", "node", "c"), List.of("c")).status())
                .isEqualTo(200);
        servers.get(PEERS.get(1)).stop(0);
        assertThat(handle(List.of("healthchecks", "node", "c"), List.of("c")).status())
                .isEqualTo(503);
    }

    private Answer health(String check) {
        return handle(List.of("health", "checks", check), List.of());
    }

    private Answer handle(List<String> path, List<String> parts) {
        ControlScope scope = scope();
        Routes routes = new Routes();
        new HealthResource(new Resources(new Running(scope), peers), clock).addTo(routes);
        return routes.find("GET", path)
                .handler()
                .handle(new ControlRequest("GET", parts, Map.of(), Map.of(), new byte[0], null));
    }

    private record Running(ControlScope scope) implements NodeControl {
        @Override
        public String state() {
            return "running";
        }

        @Override
        public void startBroker() {}

        @Override
        public void stopBroker() {}

        @Override
        public void forceBoot() {}
    }
}
