package io.leveret.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.NodeName;
import io.leveret.model.control.ControlSignature;
import io.leveret.node.amqp.server.AmqpServer;
import io.leveret.node.amqp.server.AmqpServerConfig;
import io.leveret.node.broker.auth.Authenticator;
import io.leveret.node.broker.auth.PasswordHash;
import io.leveret.node.broker.auth.Permissions;
import io.leveret.node.broker.auth.UsageElsewhere;
import io.leveret.node.broker.vhost.VirtualHosts;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.FirstDefinitions;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.metadata.SharedMetadata;
import io.leveret.node.cluster.peer.NettyPeerTransport;
import io.leveret.node.cluster.peer.PeerConfig;
import io.leveret.node.cluster.remote.ClusterQueueDirectory;
import io.leveret.node.cluster.remote.ClusterReplies;
import io.leveret.node.cluster.replication.QueueHosts;
import io.leveret.node.cluster.replication.ReplicationSettings;
import io.leveret.node.control.ControlApi;
import io.leveret.node.control.ControlScope;
import io.leveret.node.control.NodeControl;
import io.leveret.node.journal.FileJournal;
import io.leveret.node.journal.JournalSettings;
import io.leveret.node.runtime.EventLoops;
import io.leveret.node.runtime.MemoryWatch;
import io.leveret.node.runtime.RecordedFaults;
import io.leveret.node.runtime.ResourceWatch;
import io.leveret.node.runtime.SecureRandomness;
import io.leveret.node.runtime.SystemClock;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;

/** A node whose metadata are in memory, with real queues, behind a real HTTP server. */
final class ControlFixture implements AutoCloseable, NodeControl {
    static final String SECRET = "a secret of enough letters";

    private final RecordedFaults faults = new RecordedFaults();
    private final EventLoops loops;
    private final FileJournal journal;
    private final NettyPeerTransport transport;
    private final SharedMetadata.Node store;
    private final AmqpServer amqp;
    private final Tomcat tomcat = new Tomcat();
    private final HttpClient http = HttpClient.newHttpClient();
    private final ControlScope scope;
    private final int port;
    final int amqpPort;
    boolean isStopped;

    ControlFixture(Path folder) throws Exception {
        NodeConfig config = NodeConfig.fromEnvironment(
                Map.of("LEVERET_SECRET", SECRET, "LEVERET_DATA", folder.toString(), "LEVERET_BIND", "127.0.0.1"));
        NodeName name = config.nodeName();
        SystemClock clock = new SystemClock();
        SecureRandomness randomness = new SecureRandomness();
        loops = new EventLoops(2, faults);
        journal = FileJournal.open(folder.resolve("journal"), JournalSettings.small(), clock, faults);
        SharedMetadata metadata = new SharedMetadata();
        store = metadata.node(name, 1, UUID.randomUUID());
        transport = new NettyPeerTransport(
                new PeerConfig(name, 1, new InetSocketAddress("127.0.0.1", 0), SECRET.getBytes(UTF_8), 10_000),
                loops,
                randomness);
        QueueHosts hosts = new QueueHosts(new QueueHosts.Wiring(
                store, journal, transport, loops.all(), clock, ReplicationSettings.standard(), false));
        hosts.recover();
        ClusterQueueDirectory queues = new ClusterQueueDirectory(new ClusterQueueDirectory.Wiring(
                store, hosts, transport, loops.next(), clock, TimeUnit.SECONDS.toNanos(20)));
        VirtualHosts vhosts = new VirtualHosts(new VirtualHosts.Services(store, queues, loops.next(), randomness));
        Authenticator authenticator = new Authenticator(store, Runnable::run, Set.of("guest"));
        Permissions permissions = new Permissions(store);
        amqp = new AmqpServer(
                AmqpServerConfig.of(new InetSocketAddress("127.0.0.1", 0), "test", "1", name + "/1"),
                new AmqpServer.Services(
                        vhosts,
                        authenticator,
                        permissions,
                        ClusterReplies.register(queues, transport, loops.next(), randomness),
                        UsageElsewhere.NOWHERE,
                        () -> false),
                loops,
                clock,
                faults);
        metadata.apply(FirstDefinitions.form("test", PasswordHash.of("guest", new byte[4]), PasswordHash.SHA_256));
        hosts.start().toCompletableFuture().get(30, TimeUnit.SECONDS);
        amqpPort = amqp.start();
        scope = BrokerControl.scope(
                config,
                "1.2.3",
                new BrokerControl.Parts(
                        store,
                        hosts,
                        queues,
                        vhosts,
                        authenticator,
                        permissions,
                        amqp.connections(),
                        new StayingPlanner(),
                        ResourceWatch.ofFolder(folder, 0),
                        new MemoryWatch(),
                        clock,
                        randomness,
                        loops.next()));
        tomcat.setBaseDir(folder.resolve("tomcat").toString());
        tomcat.setPort(0);
        tomcat.getConnector().setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
        var context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "control", ControlApi.servlet(this, SECRET, clock, randomness));
        context.addServletMappingDecoded(ControlApi.PATH, "control");
        tomcat.start();
        port = tomcat.getConnector().getLocalPort();
    }

    /** Leaves every queue where it is. */
    private static final class StayingPlanner implements ControlScope.Planner {
        @Override
        public void rebalance() {}

        @Override
        public List<NodeName> target(ClusterImage image, QueuePlacement queue) {
            return queue.nodes();
        }
    }

    /** What was answered. */
    static void expect(int status, Reply reply) {
        assertThat(reply.status()).as("%s", reply.body()).isEqualTo(status);
    }

    static void expect(int status, String part, Reply reply) {
        expect(status, reply);
        assertThat(reply.body()).contains(part);
    }

    record Reply(int status, String body, HttpResponse<String> response) {}

    Reply get(String path) {
        return ask("GET", path, "", "");
    }

    Reply ask(String method, String path, String body) {
        return ask(method, path, body, "");
    }

    Reply ask(String method, String path, String body, String user) {
        return send(
                method,
                path,
                body,
                user,
                SECRET,
                System.currentTimeMillis(),
                UUID.randomUUID().toString());
    }

    Reply send(String method, String path, String body, String user, String secret, long millis, String nonce) {
        String target = "/control" + path;
        ControlSignature.Request signed =
                new ControlSignature.Request(method, target, user, Long.toString(millis), nonce);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header(ControlSignature.TIME_HEADER, Long.toString(millis))
                .header(ControlSignature.NONCE_HEADER, nonce)
                .header(
                        ControlSignature.SIGNATURE_HEADER,
                        new ControlSignature(secret).sign(signed, body.getBytes(UTF_8)));
        if (!user.isEmpty()) {
            request.header(ControlSignature.USER_HEADER, user);
        }
        try {
            HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Reply(response.statusCode(), response.body(), response);
        } catch (java.io.IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public ControlScope scope() {
        return isStopped ? null : scope;
    }

    @Override
    public String state() {
        return isStopped ? "stopped" : "running";
    }

    @Override
    public void startBroker() {
        isStopped = false;
    }

    @Override
    public void stopBroker() {
        isStopped = true;
    }

    @Override
    public void forceBoot() {}

    @Override
    public void close() throws Exception {
        tomcat.stop();
        amqp.close();
        transport.close();
        store.close();
        loops.close();
        journal.close();
        faults.assertNone();
    }
}
