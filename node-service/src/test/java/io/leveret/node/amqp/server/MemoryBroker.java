package io.leveret.node.amqp.server;

import io.leveret.model.QueueName;
import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.PermissionDefinition;
import io.leveret.model.definition.UserDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.auth.Authenticator;
import io.leveret.node.broker.auth.PasswordHash;
import io.leveret.node.broker.auth.Permissions;
import io.leveret.node.broker.auth.UsageElsewhere;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.DefinitionsDelta;
import io.leveret.node.broker.definitions.InMemoryDefinitions;
import io.leveret.node.broker.vhost.LocalReplies;
import io.leveret.node.broker.vhost.VirtualHosts;
import io.leveret.node.runtime.EventLoops;
import io.leveret.node.runtime.RecordedFaults;
import io.leveret.node.runtime.SecureRandomness;
import io.leveret.node.runtime.SystemClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/** A whole node without disk and cluster: real sockets, loops, routing and queue leaders. Users guest, ro, imp and cf. */
final class MemoryBroker implements AutoCloseable {
    final InMemoryDefinitions definitions = new InMemoryDefinitions();
    final Map<QueueName, MemoryQueue> queues = new ConcurrentHashMap<>();
    final RecordedFaults faults = new RecordedFaults();
    /** While true, the disk is behind. */
    volatile boolean isCongested;

    final Authenticator authenticator;
    final AmqpServer server;
    final int port;
    private final EventLoops loops;
    private final ExecutorService hashing = Executors.newSingleThreadExecutor();

    MemoryBroker(int loopCount, int port) {
        this(loopCount, port, 0);
    }

    MemoryBroker(int loopCount, int port, long settleTimeoutMillis) {
        this(loopCount, port, config -> config.withSettleTimeout(settleTimeoutMillis));
    }

    MemoryBroker(int loopCount, int port, UnaryOperator<AmqpServerConfig> settings) {
        loops = new EventLoops(loopCount, faults);
        definitions.addListener((delta, image) -> apply(delta));
        define();
        VirtualHosts vhosts = new VirtualHosts(
                new VirtualHosts.Services(definitions, queues::get, loops.next(), new SecureRandomness()));
        authenticator = new Authenticator(definitions, hashing, Set.of());
        server = new AmqpServer(
                settings.apply(AmqpServerConfig.of(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                        "golden",
                        "1",
                        "rabbit1@localhost/1")),
                new AmqpServer.Services(
                        vhosts,
                        authenticator,
                        new Permissions(definitions),
                        new LocalReplies(new SecureRandomness(), () -> 1),
                        UsageElsewhere.NOWHERE,
                        () -> isCongested),
                loops,
                new SystemClock(),
                faults);
        this.port = server.start();
    }

    MemoryBroker() {
        this(2, 0);
    }

    private void define() {
        VhostName vhost = new VhostName("/");
        definitions.agree(new DefinitionChange.PutVhost(new VhostDefinition(vhost, "", List.of())));
        definitions.agree(new DefinitionChange.PutVhost(new VhostDefinition(new VhostName("other"), "", List.of())));
        user("guest");
        user("ro");
        user("novh");
        user("imp", "impersonator");
        user("cf");
        definitions.agree(
                new DefinitionChange.PutPermission(new PermissionDefinition(new UserName("cf"), vhost, ".*", "", "")));
        definitions.agree(
                new DefinitionChange.PutPermission(new PermissionDefinition(new UserName("imp"), vhost, "", ".*", "")));
        definitions.agree(new DefinitionChange.PutPermission(
                new PermissionDefinition(new UserName("guest"), vhost, ".*", ".*", ".*")));
        definitions.agree(
                new DefinitionChange.PutPermission(new PermissionDefinition(new UserName("ro"), vhost, "", "", ".*")));
    }

    void user(String name, String... tags) {
        String hash = PasswordHash.of(name, new byte[] {1, 2, 3, 4});
        definitions.agree(new DefinitionChange.PutUser(
                new UserDefinition(new UserName(name), hash, PasswordHash.SHA_256, List.of(tags))));
    }

    private void apply(DefinitionsDelta delta) {
        delta.queuesDeclared()
                .forEach(queue -> queues.put(
                        queue.name(),
                        new MemoryQueue(
                                queue,
                                loops.next(),
                                new SystemClock(),
                                () -> definitions.submit(new DefinitionChange.DeleteQueue(queue.name())))));
        delta.queuesDeleted().forEach(queue -> queues.remove(queue.name()).delete());
    }

    MemoryQueue queue(String name) {
        return queues.get(QueueName.of("/", name));
    }

    @Override
    public void close() {
        server.close();
        loops.close();
        hashing.shutdownNow();
        faults.assertNone();
    }
}
