package io.leveret.node.cluster.replication;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.definitions.EffectivePolicy;
import io.leveret.node.broker.definitions.PolicyMatcher;
import io.leveret.node.broker.queue.MemoryBudget;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.ClusterDelta;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.ClusterNode;
import io.leveret.node.cluster.metadata.MajorityListener;
import io.leveret.node.cluster.metadata.MetadataStore;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.metadata.Replica;
import io.leveret.node.cluster.peer.PeerTransport;
import io.leveret.node.journal.Journal;
import io.leveret.node.journal.RecoveryReport;
import io.leveret.node.journal.Release;
import io.leveret.node.journal.ReleaseOwner;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.SerialExecutor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicas of this node. It reads them back, says that the node is up, and follows metadata from the moment in which this
 * node has applied that itself: before, nothing is led, mirrored or served (PROTOCOL.md §3).
 *
 * <pre>
 * new ── recover() ──► read back ── start() ──► NodeUp proposed ── applied here ──► serving
 *                                                     ▲                                │ NodeDown of this boot applied
 *                                                     └────────────────────────────────┘
 * </pre>
 *
 * What follows metadata runs on the first loop, in the order of the log.
 */
public final class QueueHosts {
    private static final Logger LOG = LoggerFactory.getLogger(QueueHosts.class);
    private static final long NODE_UP_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long HAND_OVER_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /**
     * What it stands on.
     *
     * @param isWitness this node carries no queues
     */
    public record Wiring(
            MetadataStore store,
            Journal journal,
            PeerTransport transport,
            List<SerialExecutor> loops,
            NodeClock clock,
            ReplicationSettings settings,
            boolean isWitness) {}

    private final MetadataStore store;
    private final NodeName self;
    private final boolean isWitness;
    private final ReplicaContext context;
    private final List<ReplicaLoop> loops;
    private final SerialExecutor executor;
    private final ConcurrentHashMap<Long, QueueHost> hosts = new ConcurrentHashMap<>();
    private final HandOverRequests handOvers;
    private final Map<VhostName, PolicyMatcher> matchers = new HashMap<>();
    private final CompletableFuture<Void> serving = new CompletableFuture<>();
    private Map<Long, JournalRecovery.Recovered> recovered = new HashMap<>();
    private Set<Long> damaged = new HashSet<>();
    private boolean isWholeDamaged;
    private boolean isServing;
    private boolean isProposing;
    private boolean isStopping;
    private int nextLoop;

    public QueueHosts(Wiring wiring) {
        this.store = wiring.store();
        this.self = store.localNode();
        this.isWitness = wiring.isWitness();
        this.executor = wiring.loops().get(0);
        this.context = new ReplicaContext(
                store,
                wiring.journal(),
                wiring.transport(),
                wiring.clock(),
                new MemoryBudget(wiring.settings().bodyBytesMax()),
                new Proposals(store, executor),
                wiring.settings());
        this.loops = wiring.loops().stream()
                .map(each -> new ReplicaLoop(each, wiring.journal()))
                .toList();
        ReplicationService service = new ReplicationService(this, context);
        wiring.transport().register(ReplicationService.SERVICE, service);
        wiring.transport().listen(service);
        context.rescue(new BodyRescue(this, context, executor));
        handOvers = new HandOverRequests(this, context, executor);
        wiring.journal().addDurableListener(position -> loops.forEach(ReplicaLoop::durable));
        store.addListener(this::changed);
        store.addMajorityListener(new Pausing());
    }

    /** A leader without a majority could be followed by another already: it neither takes nor delivers (PROTOCOL.md §10). */
    private final class Pausing implements MajorityListener {
        @Override
        public void majorityLost() {
            pause(true);
        }

        @Override
        public void majorityBack() {
            pause(false);
        }

        private void pause(boolean isPaused) {
            context.pause(isPaused);
            hosts.values().forEach(host -> host.executor().execute(() -> host.pause(isPaused)));
        }
    }

    /** Reads all replicas back, in the calling thread. Before {@link #start}. */
    public RecoveryReport recover() {
        JournalRecovery recovery = new JournalRecovery();
        RecoveryReport report = context.journal.recover(recovery);
        recovered = recovery.finish();
        damaged = new HashSet<>(recovery.damaged());
        isWholeDamaged = report.isWholeDamaged();
        LOG.info("read back {} replicas, {} of them damaged", recovered.size() + damaged.size(), damaged.size());
        return report;
    }

    /** Says that this node is up. @return completes when this node has applied that, and serves */
    public CompletionStage<Void> start() {
        executor.execute(() -> {
            loops.forEach(this::tick);
            proposeNodeUp();
        });
        return serving;
    }

    private void tick(ReplicaLoop loop) {
        loop.executor()
                .schedule(
                        () -> {
                            loop.tick(context.clock.nanoTime());
                            tick(loop);
                        },
                        context.settings.tickNanos());
    }

    /** Where leaders of this node send their answers. Set before {@link #start}. */
    public void answerThrough(OriginSink sink) {
        context.origins(sink);
    }

    /** Where dead letters of queues led here go. Set before {@link #start}. */
    public void deadLetterThrough(DeadLetterSinks sinks) {
        context.deadLetters(sinks);
    }

    /** The local replica of a queue, or null. Any thread. */
    public @Nullable QueueHost host(long incarnation) {
        return hosts.get(incarnation);
    }

    void forEach(Consumer<QueueHost> visitor) {
        hosts.values().forEach(visitor);
    }

    /** What the bodies of all queues take in memory. */
    public MemoryBudget budget() {
        return context.budget;
    }

    /** A memory or disk alarm began or ended: mirrors wait for older messages meanwhile. Any thread. */
    public void pauseBackfill(boolean isPaused) {
        context.pauseBackfill(isPaused);
    }

    // ---- NodeUp

    private void proposeNodeUp() {
        if (isUpApplied(store.cluster()) && !isServing) {
            follow(store.cluster());
        }
        if (isProposing || isStopping || isUpApplied(store.cluster())) {
            return;
        }
        isProposing = true;
        ClusterImage image = store.cluster();
        Set<Long> unusable = new HashSet<>(damaged);
        if (isWholeDamaged) {
            image.placements().values().stream()
                    .filter(each -> each.replica(self) != null)
                    .forEach(each -> unusable.add(each.incarnation()));
        }
        LOG.info("proposing that {} is up, boot {}", self, store.boot());
        store.propose(new ClusterCommand.NodeUp(self, store.boot(), store.storeId(), isWitness, unusable))
                .whenComplete((outcome, failure) -> executor.execute(() -> {
                    isProposing = false;
                    if (!isUpApplied(store.cluster())) {
                        executor.schedule(this::proposeNodeUp, NODE_UP_AGAIN_NANOS);
                    } else if (!isServing) {
                        follow(store.cluster());
                    }
                }));
    }

    private boolean isUpApplied(ClusterImage image) {
        ClusterNode node = image.node(self);
        return node != null
                && node.isLive()
                && node.boot() == store.boot()
                && node.storeId().equals(store.storeId());
    }

    // ---- metadata

    private void changed(ClusterDelta delta, ClusterImage image) {
        executor.execute(() -> apply(delta, image));
    }

    private void apply(ClusterDelta delta, ClusterImage image) {
        if (delta.isReload()) {
            matchers.clear();
        } else {
            delta.definitions().policies().forEach(matchers::remove);
        }
        if (!isServing) {
            follow(image);
            return;
        }
        if (!isUpApplied(image) && !isStopping) {
            LOG.warn("this node was reported down, and says again that it is up");
            proposeNodeUp();
        }
        if (delta.isReload()) {
            placeAll(image);
            return;
        }
        ReplicaSets sets = new ReplicaSets(image);
        if (!delta.nodes().isEmpty()) {
            context.numbers(NodeNumbers.of(image));
            // Boots matter to every leader: what a former boot published is never sent again.
            placeAll(sets, image);
        } else {
            for (ClusterDelta.PlacementChange change : delta.placements()) {
                place(change.incarnation(), change.after(), sets, image);
            }
        }
        delta.definitions().policies().forEach(vhost -> configure(vhost, image));
    }

    /** Serving begins, if this node is up. */
    private void follow(ClusterImage image) {
        if (!isUpApplied(image)) {
            return;
        }
        isServing = true;
        // Not before metadata knows of it: a node that stopped meanwhile would take nothing for all it ever had.
        damaged.forEach(context.journal::drop);
        placeAll(image);
        // What is left belongs to queues and replicas that are no more.
        recovered.keySet().forEach(context.journal::drop);
        recovered.clear();
        damaged.clear();
        isWholeDamaged = false;
        // Nor is a damaged manifest written anew, as releases do: the next start would not see the damage.
        context.journal.setReleaseOwner(new Releases());
        if (serving.complete(null)) {
            LOG.info("{} serves with {} replicas", self, hosts.size());
        }
    }

    private void placeAll(ClusterImage image) {
        context.numbers(NodeNumbers.of(image));
        placeAll(new ReplicaSets(image), image);
        image.definitions().vhosts().keySet().forEach(vhost -> configure(vhost, image));
    }

    private void placeAll(ReplicaSets sets, ClusterImage image) {
        List<Long> gone = new ArrayList<>();
        hosts.keySet().forEach(incarnation -> {
            if (image.placement(incarnation) == null) {
                gone.add(incarnation);
            }
        });
        gone.forEach(incarnation -> place(incarnation, null, sets, image));
        image.placements().values().forEach(each -> {
            if (each.replica(self) != null || hosts.containsKey(each.incarnation())) {
                place(each.incarnation(), each, sets, image);
            }
        });
    }

    private void place(long incarnation, @Nullable QueuePlacement placement, ReplicaSets sets, ClusterImage image) {
        Replica replica = placement == null ? null : placement.replica(self);
        QueueHost host = hosts.get(incarnation);
        if (host != null && (replica == null || host.generation() != replica.generation())) {
            hosts.remove(incarnation);
            boolean isDeleted = placement == null;
            QueueHost ended = host;
            ended.executor().execute(() -> ended.close(isDeleted));
            host = null;
        }
        if (placement == null || replica == null) {
            return;
        }
        if (host == null) {
            QueueDefinition definition = image.definitions().queue(placement.queue());
            if (definition == null) {
                throw new IllegalStateException("queue " + placement.queue() + " is placed and not defined");
            }
            host = open(placement, replica, definition, image);
        }
        QueueHost placed = host;
        ReplicaSet set = sets.of(placement);
        placed.executor().execute(() -> placed.placement(set));
    }

    private QueueHost open(QueuePlacement placement, Replica replica, QueueDefinition definition, ClusterImage image) {
        long incarnation = placement.incarnation();
        JournalRecovery.Recovered found = recovered.remove(incarnation);
        if (found != null && found.generation() != replica.generation()) {
            context.journal.drop(incarnation);
            found = null;
        }
        QueueHost host = new QueueHost(
                new QueueHost.Content(
                        placement.queue(),
                        incarnation,
                        replica.generation(),
                        definition.isAutoDelete(),
                        found == null ? new ReplicaState(definition.isDurable()) : found.state(),
                        found != null,
                        policy(definition, image)),
                context,
                loops.get(nextLoop++ % loops.size()));
        hosts.put(incarnation, host);
        return host;
    }

    private void configure(VhostName vhost, ClusterImage image) {
        for (QueueHost host : hosts.values()) {
            if (host.name().vhost().equals(vhost)) {
                QueueDefinition definition = image.definitions().queue(host.name());
                if (definition != null) {
                    QueuePolicy policy = policy(definition, image);
                    host.executor().execute(() -> host.configure(policy));
                }
            }
        }
    }

    private QueuePolicy policy(QueueDefinition definition, ClusterImage image) {
        PolicyMatcher matcher = matchers.computeIfAbsent(
                definition.name().vhost(),
                vhost -> new PolicyMatcher(
                        image.definitions().policies(vhost).values(),
                        image.definitions().operatorPolicies(vhost).values()));
        EffectivePolicy effective = matcher.forQueue(definition);
        return QueuePolicy.of(definition, effective, context.settings);
    }

    // ---- the journal

    private final class Releases implements ReleaseOwner {
        @Override
        public void release(Release release) {
            executor.execute(() -> {
                QueueHost host = hosts.get(release.stream());
                if (host != null) {
                    host.executor().execute(() -> host.release(release));
                } else {
                    release.forget();
                }
            });
        }

        @Override
        public void moved(long stream, long[] from, long[] to, Runnable done) {
            QueueHost host = hosts.get(stream);
            if (host == null) {
                done.run();
            } else {
                host.executor().execute(() -> host.moved(from, to, done));
            }
        }
    }

    // ---- stopping

    /**
     * A clean stop: leaders refuse new publishes, which their origins keep, and hand over when all they have is committed;
     * then the cluster is told that this node leaves.
     *
     * @return completes when that is done, or was given up after the time
     */
    public CompletionStage<Void> stop(long timeNanos) {
        CompletableFuture<Void> left = new CompletableFuture<>();
        executor.execute(() -> {
            isStopping = true;
            long deadline = context.clock.nanoTime() + timeNanos;
            CompletableFuture<?>[] begun = hosts.values().stream()
                    .map(host -> CompletableFuture.runAsync(host::handOver, host.executor()))
                    .toArray(CompletableFuture[]::new);
            CompletableFuture.allOf(begun)
                    .whenCompleteAsync((nothing, failure) -> awaitHandOver(deadline, left), executor);
        });
        return left;
    }

    private void awaitHandOver(long deadline, CompletableFuture<Void> left) {
        boolean isHandingOver = hosts.values().stream().anyMatch(QueueHost::isHandingOver);
        long remaining = deadline - context.clock.nanoTime();
        if (isHandingOver && remaining > 0) {
            executor.schedule(() -> awaitHandOver(deadline, left), HAND_OVER_LOOK_NANOS);
            return;
        }
        executor.schedule(() -> left.complete(null), Math.max(HAND_OVER_LOOK_NANOS, remaining));
        store.propose(new ClusterCommand.NodeLeaving(self, store.boot()))
                .whenComplete((outcome, failure) -> left.complete(null));
    }

    /** Asks the leader of the step's epoch to give way in good order. Any thread; harmless when repeated, or too late. */
    public void askToHandOver(ClusterCommand.Move.Step step) {
        handOvers.ask(step);
    }

    // ---- operators and listings

    /** sync_queue: the leader, if here, sends its mirrors what they lack. @return whether it is here */
    public CompletionStage<Boolean> synchronise(QueueName name) {
        return atLeader(name, core -> core.synchronise());
    }

    /** cancel_sync_queue. @return whether the leader is here */
    public CompletionStage<Boolean> cancelSynchronise(QueueName name) {
        return atLeader(name, core -> core.cancelSynchronise());
    }

    private CompletionStage<Boolean> atLeader(QueueName name, Consumer<LeaderCore> act) {
        QueuePlacement placement = store.cluster().placement(name);
        QueueHost host = placement == null ? null : hosts.get(placement.incarnation());
        if (host == null) {
            return CompletableFuture.completedFuture(false);
        }
        return CompletableFuture.supplyAsync(() -> host.atLeader(act), host.executor());
    }

    /** How the replicas of a queue stand, asked at its leader; null when that is not here. */
    public CompletionStage<@Nullable ReplicationStatus> status(QueueName name) {
        QueuePlacement placement = store.cluster().placement(name);
        QueueHost host = placement == null ? null : hosts.get(placement.incarnation());
        if (host == null) {
            return CompletableFuture.completedFuture(null);
        }
        return CompletableFuture.supplyAsync(host::status, host.executor());
    }

    /** The names of the queues that this node leads, sorted. Any thread. */
    public List<QueueName> led() {
        return hosts.values().stream()
                .filter(QueueHost::isLeading)
                .map(QueueHost::name)
                .sorted(Comparator.naturalOrder())
                .toList();
    }
}
