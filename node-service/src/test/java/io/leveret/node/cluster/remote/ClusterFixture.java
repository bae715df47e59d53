package io.leveret.node.cluster.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.ApplyTo;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.metadata.SharedMetadata;
import io.leveret.node.cluster.peer.NettyPeerTransport;
import io.leveret.node.cluster.peer.PeerConfig;
import io.leveret.node.cluster.replication.QueueHost;
import io.leveret.node.cluster.replication.QueueHosts;
import io.leveret.node.cluster.replication.ReplicaProbe;
import io.leveret.node.cluster.replication.ReplicationSettings;
import io.leveret.node.journal.FileJournal;
import io.leveret.node.journal.Journal;
import io.leveret.node.journal.JournalSettings;
import io.leveret.node.runtime.EventLoops;
import io.leveret.node.runtime.SecureRandomness;
import io.leveret.node.runtime.SerialExecutor;
import io.leveret.node.runtime.SystemClock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Nodes of one cluster in this JVM: real journals on disk, real links over loopback, metadata in memory. */
final class ClusterFixture implements AutoCloseable {
    static final VhostName VHOST = new VhostName("/");
    private static final long TICK_MILLIS = 20;

    final SharedMetadata metadata = new SharedMetadata();
    final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final Map<NodeName, Member> members = new HashMap<>();
    private final Path folder;
    private final JournalSettings journalSettings;
    private final long bodyBytesMax;
    long publishDeadlineMillis = 20_000;
    long mirrorDeadlineMillis = 30_000;

    ClusterFixture(Path folder, String... names) throws IOException {
        this(folder, JournalSettings.standard(), 256 << 20, names);
    }

    ClusterFixture(Path folder, JournalSettings journalSettings, long bodyBytesMax, String... names)
            throws IOException {
        this.folder = folder;
        this.bodyBytesMax = bodyBytesMax;
        this.journalSettings = journalSettings;
        metadata.apply(new ClusterCommand.Form(
                List.of(new DefinitionChange.PutVhost(new VhostDefinition(VHOST, "", List.of())))));
        for (String each : names) {
            members.put(new NodeName(each), new Member(new NodeName(each)));
        }
        for (String each : names) {
            start(each);
        }
    }

    /** A node that can be started, killed and started again. */
    final class Member {
        final NodeName name;
        private final UUID storeId = UUID.randomUUID();
        long boot;
        int port;
        private @Nullable EventLoops loops;
        private @Nullable Journal journal;
        private @Nullable NettyPeerTransport transport;
        private SharedMetadata.@Nullable Node store;

        @Nullable
        QueueHosts hosts;

        @Nullable
        ClusterQueueDirectory directory;

        @Nullable
        ClusterReplies replies;

        Member(NodeName name) {
            this.name = name;
        }

        boolean isRunning() {
            return loops != null;
        }

        CompletableFuture<Void> start() throws IOException {
            open();
            return serve();
        }

        /** After {@link #open}: the others hear of it. */
        CompletableFuture<Void> serve() {
            port = transport.start();
            introduce();
            return hosts.start().toCompletableFuture();
        }

        /** The node reads its replicas back, and is gone before the others hear of it. */
        void startAndDie() throws IOException {
            open();
            kill();
        }

        /** The node reads its replicas back. */
        void open() throws IOException {
            boot++;
            loops = new EventLoops(2, (what, cause) -> {
                faults.add(name + ": " + what + ": " + cause);
            });
            SystemClock clock = new SystemClock();
            journal = FileJournal.open(
                    folder.resolve(name.value()),
                    journalSettings,
                    clock,
                    (what, cause) -> faults.add(name + ": " + what));
            store = metadata.node(name, boot, storeId);
            transport = new NettyPeerTransport(
                    new PeerConfig(name, boot, new InetSocketAddress("127.0.0.1", 0), "secret".getBytes(UTF_8), 10_000),
                    loops,
                    new SecureRandomness());
            hosts = new QueueHosts(new QueueHosts.Wiring(
                    store,
                    journal,
                    transport,
                    loops.all(),
                    clock,
                    new ReplicationSettings(
                            TimeUnit.MILLISECONDS.toNanos(mirrorDeadlineMillis),
                            bodyBytesMax,
                            TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS)),
                    false));
            hosts.recover();
            directory = new ClusterQueueDirectory(new ClusterQueueDirectory.Wiring(
                    store,
                    hosts,
                    transport,
                    loops.all().get(0),
                    clock,
                    TimeUnit.MILLISECONDS.toNanos(publishDeadlineMillis)));
            replies = ClusterReplies.register(directory, transport, loops.all().get(0), new SecureRandomness());
        }

        void kill() {
            transport.close();
            store.close();
            loops.close();
            journal.close();
            loops = null;
        }

        /** Tells the node that it lost, or found again, a majority; returns when its queues have heard it. */
        void majority(boolean isThere) {
            store.majority(isThere);
            loops.all()
                    .forEach(loop -> CompletableFuture.runAsync(() -> {}, loop).join());
        }

        SharedMetadata.Node store() {
            return store;
        }

        /** The node does not hear of metadata until then. */
        void hearNothingUntil(CompletableFuture<?> then) {
            store.hearNothingUntil(then);
        }

        Journal journal() {
            return journal;
        }

        SerialExecutor loop(int index) {
            return loops.all().get(index);
        }

        QueueHandle queue(String queue) {
            QueueName wanted = new QueueName(VHOST, queue);
            return await().until(() -> (QueueHandle) directory.find(wanted), handle -> handle != null);
        }

        TestPublisher publisher(String queue, int loop) {
            return new TestPublisher(queue(queue), loop(loop));
        }

        TestSubscriber subscriber(String queue, int loop) {
            return new TestSubscriber(queue(queue), loop(loop));
        }
    }

    private void introduce() {
        for (Member each : members.values()) {
            if (each.isRunning() && each.transport != null) {
                Map<NodeName, InetSocketAddress> others = new HashMap<>();
                members.values().stream()
                        .filter(other -> other != each && other.isRunning())
                        .forEach(other -> others.put(other.name, new InetSocketAddress("127.0.0.1", other.port)));
                each.transport.members(others);
            }
        }
    }

    Member node(String name) {
        Member member = members.get(new NodeName(name));
        if (member == null) {
            throw new IllegalArgumentException(name);
        }
        return member;
    }

    void start(String name) throws IOException {
        CompletableFuture<Void> serving = node(name).start();
        await().until(serving::isDone);
    }

    /** The node is gone, and its peers notice. */
    void kill(String name) {
        Member member = node(name);
        member.kill();
        introduce();
        metadata.apply(new ClusterCommand.NodeDown(member.name, member.boot));
    }

    void policy(String pattern, Map<String, Object> definition) {
        metadata.apply(new ClusterCommand.Define(new DefinitionChange.PutPolicy(
                new PolicyDefinition(VHOST, "p", pattern, ApplyTo.QUEUES, 0, definition))));
    }

    void declare(String queue, String... replicas) {
        declare(queue, true, Map.of(), replicas);
    }

    void declare(String queue, boolean isDurable, Map<String, Object> arguments, String... replicas) {
        List<NodeName> nodes = new ArrayList<>();
        for (String each : replicas) {
            nodes.add(new NodeName(each));
        }
        declare(new QueueDefinition(new QueueName(VHOST, queue), isDurable, false, false, arguments), nodes);
    }

    void declare(QueueDefinition definition, List<NodeName> nodes) {
        var outcome =
                metadata.apply(new ClusterCommand.Declare(new DefinitionChange.DeclareQueue(definition, null), nodes));
        assertThat(outcome.isRefused()).as("%s", outcome).isFalse();
    }

    QueuePlacement placement(String queue) {
        QueuePlacement placement = metadata.image().placement(new QueueName(VHOST, queue));
        if (placement == null) {
            throw new IllegalStateException("no queue " + queue);
        }
        return placement;
    }

    String leader(String queue) {
        return String.valueOf(placement(queue).leader());
    }

    void awaitInSync(String queue, String... names) {
        await().untilAsserted(() -> assertThat(placement(queue).inSync())
                .extracting(NodeName::value)
                .containsExactlyInAnyOrder(names));
    }

    /** How many messages the replica on a node holds. */
    long held(String node, String queue) {
        QueueHost host = node(node).hosts.host(placement(queue).incarnation());
        if (host == null) {
            return -1;
        }
        return CompletableFuture.supplyAsync(() -> ReplicaProbe.held(host), host.executor())
                .join();
    }

    void awaitHeld(long count, String queue, String... nodes) {
        for (String each : nodes) {
            await().untilAsserted(() ->
                    assertThat(held(each, queue)).as("held by %s", each).isEqualTo(count));
        }
    }

    static Message message(String body, boolean isPersistent) {
        return new Message(
                "", "q", new byte[] {0x10, 0, (byte) (isPersistent ? 2 : 1)}, body.getBytes(UTF_8), isPersistent);
    }

    @Override
    public void close() {
        members.values().stream().filter(Member::isRunning).forEach(Member::kill);
        assertThat(faults).isEmpty();
    }
}
