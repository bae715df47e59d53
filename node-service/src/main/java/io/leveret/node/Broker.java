package io.leveret.node;

import io.leveret.model.NodeName;
import io.leveret.node.amqp.server.AmqpServer;
import io.leveret.node.amqp.server.AmqpServerConfig;
import io.leveret.node.amqp.server.ConnectionRegistry;
import io.leveret.node.amqp.server.TlsConfig;
import io.leveret.node.broker.auth.Authenticator;
import io.leveret.node.broker.auth.PasswordHash;
import io.leveret.node.broker.auth.Permissions;
import io.leveret.node.broker.definitions.DefinitionsListener;
import io.leveret.node.broker.vhost.DeadLetterRouter;
import io.leveret.node.broker.vhost.VirtualHosts;
import io.leveret.node.cluster.membership.HazelcastMembership;
import io.leveret.node.cluster.membership.Member;
import io.leveret.node.cluster.membership.MembershipSettings;
import io.leveret.node.cluster.metadata.FirstDefinitions;
import io.leveret.node.cluster.metadata.MajorityListener;
import io.leveret.node.cluster.metadata.MetadataSettings;
import io.leveret.node.cluster.metadata.NodeIdentity;
import io.leveret.node.cluster.metadata.RatisMetadataStore;
import io.leveret.node.cluster.peer.NettyPeerTransport;
import io.leveret.node.cluster.peer.PeerConfig;
import io.leveret.node.cluster.peer.PeerTls;
import io.leveret.node.cluster.placement.DeclarationPlacement;
import io.leveret.node.cluster.placement.Liveness;
import io.leveret.node.cluster.placement.PlacementController;
import io.leveret.node.cluster.placement.PlacementSettings;
import io.leveret.node.cluster.remote.ClusterQueueDirectory;
import io.leveret.node.cluster.remote.ClusterReplies;
import io.leveret.node.cluster.replication.QueueHosts;
import io.leveret.node.cluster.replication.ReplicationSettings;
import io.leveret.node.control.ControlScope;
import io.leveret.node.journal.FileJournal;
import io.leveret.node.journal.JournalSettings;
import io.leveret.node.runtime.EventLoops;
import io.leveret.node.runtime.FaultHandler;
import io.leveret.node.runtime.FolderLock;
import io.leveret.node.runtime.MemoryWatch;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.Randomness;
import io.leveret.node.runtime.ResourceWatch;
import io.leveret.node.runtime.SecureRandomness;
import io.leveret.node.runtime.SystemClock;
import io.leveret.node.runtime.WorkerPool;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that makes a node a broker, built and started in order, stopped in the reverse one:
 *
 * <pre>
 * lock, identity, journal, replicas read back -> link -> metadata (waits for a majority) -> NodeUp applied -> AMQP
 * </pre>
 *
 * The constructor opens what is local and fails when that is not usable; {@link #start} may take as long as the other nodes
 * need to appear.
 */
final class Broker {
    private static final Logger LOG = LoggerFactory.getLogger(Broker.class);
    private static final int HASHING_WAITING_MAX = 1_000;
    private static final int HASHING_THREADS = 2;
    /** A handshake is a millisecond of computing; clients that come all at once wait, and give up after some seconds. */
    private static final int TLS_THREADS = 2;

    private static final int TLS_WAITING_MAX = 5_000;
    private static final int CLUSTER_NAME_BYTES = 12;
    private static final int SALT_BYTES = 4;
    /** The alarm comes while the journal can still release what it needs: some log files. */
    private static final long DISK_LOW_BYTES = 1L << 30;

    private static final Duration HAND_OVER_WITHIN = Duration.ofSeconds(15);
    private static final Duration CLIENTS_GONE_WITHIN = Duration.ofSeconds(3);
    private static final String PAUSED = "this node is paused: it has no majority of the cluster";
    private static final String STOPPING = "broker forced connection closure with reason 'shutdown'";

    /** Hears when this node stops serving for want of a majority, and when it serves again. */
    @FunctionalInterface
    interface PauseListener {
        void paused(boolean isPaused);
    }

    private final NodeConfig config;
    private final PauseListener pauses;
    private final FaultHandler faults;
    private final NodeClock clock = new SystemClock();
    private final Randomness randomness = new SecureRandomness();
    private final CompletableFuture<Object> abandoned = new CompletableFuture<>();
    /** What was opened, the newest first: closed in this order. */
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    private final FileJournal journal;
    private final RatisMetadataStore store;
    private final NettyPeerTransport transport;
    private final QueueHosts hosts;
    private final ClusterQueueDirectory queues;
    private final VirtualHosts vhosts;
    private final Authenticator authenticator;
    private final Permissions permissions;
    private final AmqpServer amqp;
    private final ResourceWatch disk;
    private final MemoryWatch memory;
    private final ClusterAlarms alarms;
    private final ControlScope control;
    private final ClusterPlanner planner = new ClusterPlanner();
    private final NodeIdentity identity;
    private final EventLoops loops;
    /** Computes TLS handshakes. */
    private final WorkerPool handshakes;

    private final String version;

    /** @throws IOException when the data directory is in use, damaged or of a newer format, or a port is taken */
    Broker(NodeConfig config, FaultHandler faults, String version, @Nullable TlsMaterial tls, PauseListener pauses)
            throws IOException {
        this.config = config;
        this.pauses = pauses;
        this.faults = faults;
        this.version = version;
        boolean isComplete = false;
        try {
            open(FolderLock.take(config.data()));
            loops = open(new EventLoops(Runtime.getRuntime().availableProcessors(), faults));
            handshakes = open(new WorkerPool("tls", TLS_THREADS, TLS_WAITING_MAX));
            identity = NodeIdentity.raise(config.data(), randomness, clock);
            journal =
                    open(FileJournal.open(config.data().resolve("journal"), JournalSettings.standard(), clock, faults));
            store = open(new RatisMetadataStore(
                    metadataSettings(config, tls), identity, new DeclarationPlacement(randomness), clock, faults));
            transport = open(new NettyPeerTransport(peerConfig(identity.boot(), tls), loops, randomness));
            store.answerWhen(new AgreedEverywhere(others(), store::clusterUpToDate, transport, loops.next())::known);
            hosts = new QueueHosts(
                    new QueueHosts.Wiring(store, journal, transport, loops.all(), clock, replicationSettings(), false));
            hosts.recover();
            queues = new ClusterQueueDirectory(new ClusterQueueDirectory.Wiring(
                    store,
                    hosts,
                    transport,
                    loops.next(),
                    clock,
                    config.publishDeadline().toNanos()));
            ClusterReplies replies = ClusterReplies.register(queues, transport, loops.next(), randomness);
            vhosts = new VirtualHosts(new VirtualHosts.Services(store, queues, loops.next(), randomness));
            authenticator = new Authenticator(
                    store,
                    open(new WorkerPool("hashing", HASHING_THREADS, HASHING_WAITING_MAX)),
                    config.loopbackUsers());
            permissions = new Permissions(store);
            DeadLetterRouter deadLetters = new DeadLetterRouter(vhosts, store, clock);
            hosts.deadLetterThrough(deadLetters::sinkOf);
            ClusterUsage usage = new ClusterUsage(others());
            amqp = open(new AmqpServer(
                    amqpConfig(tls),
                    new AmqpServer.Services(vhosts, authenticator, permissions, replies, usage, journal::isCongested),
                    loops,
                    clock,
                    faults));
            usage.listenTo(transport, loops.next(), amqp.connections());
            store.addListener((DefinitionsListener) new Evictions(amqp.connections()));
            disk = open(ResourceWatch.ofFolder(config.data(), DISK_LOW_BYTES));
            memory = open(new MemoryWatch());
            config.limits().applyTo(memory, disk);
            alarms = new ClusterAlarms(config.nodeName(), loops.next(), amqp.connections(), hosts);
            alarms.listenTo(transport);
            control = BrokerControl.scope(config, version, parts());
            isComplete = true;
        } finally {
            if (!isComplete) {
                closeOpened();
            }
        }
    }

    /** What the control API shows. Called when all of it is there. */
    private BrokerControl.Parts parts() {
        return new BrokerControl.Parts(
                store,
                hosts,
                queues,
                vhosts,
                authenticator,
                permissions,
                amqp.connections(),
                planner,
                disk,
                memory,
                clock,
                randomness,
                loops.next());
    }

    /** The nodes of the cluster without this one. */
    private List<NodeName> others() {
        return config.members().stream()
                .map(NodeConfig.Member::name)
                .filter(name -> !name.equals(config.nodeName()))
                .toList();
    }

    private AmqpServerConfig amqpConfig(@Nullable TlsMaterial tls) {
        TlsSettings settings = config.tls();
        return AmqpServerConfig.of(
                        new InetSocketAddress(config.amqpBind(), config.amqpPort()),
                        config.nodeName().value(),
                        version,
                        config.nodeName() + "/" + identity.boot())
                .withSettleTimeout(config.consumerTimeout().toMillis())
                .withLimits(config.limits().channelMax(), config.limits().server())
                .withTls(
                        settings == null || tls == null
                                ? null
                                : new TlsConfig(
                                        new InetSocketAddress(config.amqpBind(), settings.port()),
                                        tls::context,
                                        settings.clientCertificates(),
                                        settings.loginFrom(),
                                        handshakes));
    }

    private <T extends AutoCloseable> T open(T part) {
        opened.push(part);
        return part;
    }

    /** @param tls null: without TLS, or before there is any connection */
    static MetadataSettings metadataSettings(NodeConfig config, @Nullable TlsMaterial tls) {
        MetadataSettings usual = MetadataSettings.of(
                config.nodeName(),
                config.members().stream()
                        .map(each -> new MetadataSettings.Voter(each.name(), each.host(), each.raftPort()))
                        .toList(),
                config.data().resolve("metadata"),
                clusterName(config),
                config.pauseAfter());
        return new MetadataSettings(
                usual.node(),
                usual.voters(),
                usual.folder(),
                usual.clusterName(),
                config.electionTimeout(),
                usual.pauseAfter(),
                usual.proposalDeadline(),
                usual.snapshotEntries(),
                tls == null || !isForCluster(config) ? null : new MetadataSettings.Tls(tls.keys(), tls.authorities()));
    }

    /** Nodes with another secret never meet: the name comes from it, and cannot be turned back into it. */
    private static String clusterName(NodeConfig config) {
        byte[] named = ("leveret cluster " + config.secret()).getBytes(StandardCharsets.UTF_8);
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(named);
            return "leveret-" + HexFormat.of().formatHex(digest, 0, CLUSTER_NAME_BYTES);
        } catch (NoSuchAlgorithmException every) {
            throw new IllegalStateException("every Java platform has SHA-256", every);
        }
    }

    private static boolean isForCluster(NodeConfig config) {
        return config.tls() != null && config.tls().isForCluster();
    }

    private PeerConfig peerConfig(long boot, @Nullable TlsMaterial tls) {
        return new PeerConfig(
                config.nodeName(),
                boot,
                new InetSocketAddress(config.clusterInterface(), config.self().linkPort()),
                config.secret().getBytes(StandardCharsets.UTF_8),
                config.netTickTime().toMillis(),
                tls == null || !isForCluster(config) ? null : new PeerTls(tls::context, handshakes));
    }

    private MembershipSettings membershipSettings() {
        NodeConfig.Member self = config.self();
        Map<String, String> addresses = Map.of(
                "link", self.host() + ":" + self.linkPort(),
                "control", self.host() + ":" + self.controlPort(),
                "amqp", self.host() + ":" + config.amqpPort());
        return new MembershipSettings(
                new Member(
                        config.nodeName(),
                        identity.storeId(),
                        identity.boot(),
                        version,
                        (int) config.netTickTime().toSeconds(),
                        addresses),
                config.clusterInterface(),
                self.hazelcastPort(),
                config.members().stream()
                        .map(each -> each.host() + ":" + each.hazelcastPort())
                        .toList(),
                clusterName(config));
    }

    private ReplicationSettings replicationSettings() {
        ReplicationSettings usual = ReplicationSettings.standard();
        return new ReplicationSettings(config.mirrorDeadline().toNanos(), usual.bodyBytesMax(), usual.tickNanos());
    }

    /** Joins the cluster and serves. Blocks until AMQP listens. */
    void start() throws IOException, InterruptedException, ExecutionException {
        transport.start();
        Map<NodeName, InetSocketAddress> others = new HashMap<>();
        for (NodeConfig.Member each : config.members()) {
            if (!each.name().equals(config.nodeName())) {
                others.put(each.name(), new InetSocketAddress(each.host(), each.linkPort()));
            }
        }
        transport.members(others);
        HazelcastMembership membership = open(HazelcastMembership.start(membershipSettings(), faults));
        await(store.start());
        byte[] salt = new byte[SALT_BYTES];
        randomness.fill(salt);
        await(store.propose(FirstDefinitions.form(
                config.nodeName().value(), PasswordHash.of("guest", salt), PasswordHash.SHA_256)));
        await(hosts.start());
        PlacementController placement = open(new PlacementController(
                store,
                Liveness.of(membership),
                loops.next(),
                clock,
                PlacementSettings.standard(config.netTickTime()),
                hosts::askToHandOver));
        planner.controller(placement);
        placement.start();
        store.addMajorityListener(new Pausing());
        disk.addListener(alarms::diskIsLow);
        disk.start(faults);
        memory.addListener(alarms::memoryIsHigh);
        memory.start(faults);
        amqp.start();
        LOG.info("{} serves", config.nodeName());
    }

    private void await(CompletionStage<?> stage) throws InterruptedException, ExecutionException {
        CompletableFuture.anyOf(stage.toCompletableFuture(), abandoned).get();
    }

    /** A node without a majority serves nobody: what it would promise, the others could contradict. */
    private final class Pausing implements MajorityListener {
        @Override
        public void majorityLost() {
            LOG.warn("{}", PAUSED);
            connections().refuseNew(PAUSED);
            connections().closeAll(PAUSED);
            pauses.paused(true);
        }

        @Override
        public void majorityBack() {
            LOG.info("this node belongs to a majority again");
            connections().accept();
            pauses.paused(false);
        }
    }

    ControlScope controlScope() {
        return control;
    }

    ConnectionRegistry connections() {
        return amqp.connections();
    }

    /** Stops in good order: clients are told, leaders hand over, the cluster knows that this node left on purpose. */
    void stop() throws InterruptedException {
        connections().refuseForGood(STOPPING);
        // A client that never answers must not keep the leaders from handing over.
        waitFor(connections().closeAll(STOPPING), CLIENTS_GONE_WITHIN, "some clients did not go");
        if (store.hasMajority()) {
            waitFor(
                    hosts.stop(HAND_OVER_WITHIN.toNanos()),
                    HAND_OVER_WITHIN.multipliedBy(2),
                    "not all was handed over");
        }
        closeOpened();
    }

    private static void waitFor(CompletionStage<?> stage, Duration longest, String otherwise)
            throws InterruptedException {
        try {
            stage.toCompletableFuture().get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("{} before this node stopped: {}", otherwise, e.toString());
        }
    }

    /** Gives up a start that did not come to its end; what waits in {@link #start} fails. */
    void abandon() {
        abandoned.completeExceptionally(new IllegalStateException("the start was given up"));
        closeOpened();
    }

    @SuppressWarnings("IllegalCatch") // an edge: what cannot be closed must not keep the rest open
    private synchronized void closeOpened() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                LOG.warn("closing failed", e);
            }
        }
    }
}
