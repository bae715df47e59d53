package io.leveret.node.amqp.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leveret.model.NodeName;
import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.PermissionDefinition;
import io.leveret.model.definition.UserDefinition;
import io.leveret.node.broker.auth.Authenticator;
import io.leveret.node.broker.auth.PasswordHash;
import io.leveret.node.broker.auth.Permissions;
import io.leveret.node.broker.auth.UsageElsewhere;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.vhost.VirtualHosts;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.FirstDefinitions;
import io.leveret.node.cluster.metadata.SharedMetadata;
import io.leveret.node.cluster.peer.NettyPeerTransport;
import io.leveret.node.cluster.peer.PeerConfig;
import io.leveret.node.cluster.remote.ClusterQueueDirectory;
import io.leveret.node.cluster.remote.ClusterReplies;
import io.leveret.node.cluster.replication.QueueHosts;
import io.leveret.node.cluster.replication.ReplicationSettings;
import io.leveret.node.journal.FileJournal;
import io.leveret.node.journal.JournalSettings;
import io.leveret.node.runtime.EventLoops;
import io.leveret.node.runtime.RecordedFaults;
import io.leveret.node.runtime.SecureRandomness;
import io.leveret.node.runtime.SystemClock;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Two nodes in this JVM: real sockets, links and journals, metadata in memory. Every queue that is not exclusive is led by the
 * first; clients may talk to either. Users guest, ro, imp and cf.
 */
final class ClusterBroker implements AutoCloseable {
    private static final NodeName LEADER = new NodeName("rabbit1@localhost");
    private static final NodeName OTHER = new NodeName("rabbit2@localhost");

    final SharedMetadata metadata = new SharedMetadata();
    private final RecordedFaults faults = new RecordedFaults();
    private final List<AutoCloseable> opened = new ArrayList<>();
    final Node leader;
    final Node other;

    ClusterBroker(Path folder) throws Exception {
        leader = new Node(LEADER, folder);
        other = new Node(OTHER, folder);
        metadata.apply(FirstDefinitions.form("test", PasswordHash.of("guest", new byte[4]), PasswordHash.SHA_256));
        user("ro", "", "", ".*");
        user("imp", "", ".*", "", "impersonator");
        user("cf", ".*", "", "");
        metadata.lead(LEADER);
        leader.transport.members(Map.of(OTHER, new InetSocketAddress("127.0.0.1", other.linkPort)));
        other.transport.members(Map.of(LEADER, new InetSocketAddress("127.0.0.1", leader.linkPort)));
        leader.start();
        other.start();
    }

    private void user(String name, String configure, String write, String read, String... tags) {
        UserName user = new UserName(name);
        define(new DefinitionChange.PutUser(
                new UserDefinition(user, PasswordHash.of(name, new byte[4]), PasswordHash.SHA_256, List.of(tags))));
        define(new DefinitionChange.PutPermission(
                new PermissionDefinition(user, new VhostName("/"), configure, write, read)));
    }

    private void define(DefinitionChange change) {
        metadata.apply(new ClusterCommand.Define(change));
    }

    /** One of them. */
    final class Node {
        final AmqpServer server;
        final SharedMetadata.Node store;
        int port;
        private final QueueHosts hosts;
        private final NettyPeerTransport transport;
        private final int linkPort;

        Node(NodeName name, Path folder) throws Exception {
            SystemClock clock = new SystemClock();
            SecureRandomness randomness = new SecureRandomness();
            EventLoops loops = opened(new EventLoops(2, faults));
            FileJournal journal =
                    opened(FileJournal.open(folder.resolve(name.value()), JournalSettings.small(), clock, faults));
            store = opened(metadata.node(name, 1, UUID.randomUUID()));
            transport = opened(new NettyPeerTransport(
                    new PeerConfig(name, 1, new InetSocketAddress("127.0.0.1", 0), "secret".getBytes(UTF_8), 10_000),
                    loops,
                    randomness));
            hosts = new QueueHosts(new QueueHosts.Wiring(
                    store, journal, transport, loops.all(), clock, ReplicationSettings.standard(), false));
            hosts.recover();
            ClusterQueueDirectory queues = new ClusterQueueDirectory(new ClusterQueueDirectory.Wiring(
                    store, hosts, transport, loops.next(), clock, TimeUnit.SECONDS.toNanos(20)));
            server = opened(new AmqpServer(
                    AmqpServerConfig.of(new InetSocketAddress("127.0.0.1", 0), "golden", "1", name + "/1"),
                    new AmqpServer.Services(
                            new VirtualHosts(new VirtualHosts.Services(store, queues, loops.next(), randomness)),
                            new Authenticator(store, Runnable::run, Set.of()),
                            new Permissions(store),
                            ClusterReplies.register(queues, transport, loops.next(), randomness),
                            UsageElsewhere.NOWHERE,
                            () -> false),
                    loops,
                    clock,
                    faults));
            linkPort = transport.start();
        }

        private void start() throws Exception {
            hosts.start().toCompletableFuture().get(30, TimeUnit.SECONDS);
            port = server.start();
        }
    }

    private <T extends AutoCloseable> T opened(T part) {
        opened.add(0, part);
        return part;
    }

    @Override
    public void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        faults.assertNone();
    }
}
