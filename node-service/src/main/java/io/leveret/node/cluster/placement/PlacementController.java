package io.leveret.node.cluster.placement;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.definitions.MirroringPolicy;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.broker.definitions.PolicyMatchers;
import io.leveret.node.cluster.metadata.ClusterCommand.AddReplica;
import io.leveret.node.cluster.metadata.ClusterCommand.Move;
import io.leveret.node.cluster.metadata.ClusterCommand.NodeDown;
import io.leveret.node.cluster.metadata.ClusterCommand.RemoveReplica;
import io.leveret.node.cluster.metadata.ClusterDelta;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.MetadataStore;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.SerialExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the cluster, step by step, to where the policies want it, and records nodes that are gone as down. Runs on every node
 * and acts where the Raft leader is.
 *
 * <pre>
 * metadata changes --collected--> look at the queues concerned --MirrorPlacement.next--> commands --answered--> look again
 * liveness changes ------------> AbsenceWatch --up-to-date read, still absent--> NodeDown
 * </pre>
 *
 * Nothing is remembered but which queues to look at: an outcome that is stale, unknown or lost with this node's leadership
 * means to look again. A queue has one step under way at a time. Owned by its executor. Bounds: {@link #STEPS_MAX} steps under
 * way, {@link #QUEUES_PER_TURN} queues per turn, {@link #CONCERNED_MAX} queues collected (beyond it all are looked at).
 */
public final class PlacementController implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PlacementController.class);
    /** Also what one command may carry: far below what a log entry may hold. */
    static final int STEPS_MAX = 1_000;
    /** A turn takes a few milliseconds, so that the loop it runs on serves its sockets. */
    static final int QUEUES_PER_TURN = 500;

    static final int CONCERNED_MAX = 10_000;

    private static final long TICK_NANOS = Duration.ofSeconds(1).toNanos();
    /** While a node is absent: this node may be the next Raft leader, and somebody waits for a queue. */
    private static final long ABSENT_TICK_NANOS = Duration.ofMillis(100).toNanos();

    private static final long AGAIN_NANOS = Duration.ofMillis(500).toNanos();

    private final MetadataStore store;
    private final SerialExecutor executor;
    private final NodeClock clock;
    private final PlacementSettings settings;
    private final OrderlyMoves moves;
    private final AbsenceWatch absences;
    private final PolicyMatchers matchers = new PolicyMatchers();
    private final Set<QueueName> concerned = new LinkedHashSet<>();
    private final Map<Long, PlacementStep> underWay = new HashMap<>();
    private final Set<NodeName> reporting = new HashSet<>();
    /** Something happened that was not collected. Written on any thread. */
    private volatile boolean hasMissed = true;

    private boolean isSweeping;
    /** All queues up to this one were looked at; null: none. */
    private @Nullable QueueName sweptTo;

    private long lastSweep;
    private boolean isTurnDue;
    private boolean isTicking;
    private boolean isWatchDue;
    private volatile boolean isClosed;

    /**
     * Does nothing before {@link #start}.
     *
     * @param handOvers asks the leader of a queue to give way in good order; it may lose its way
     */
    public PlacementController(
            MetadataStore store,
            Liveness liveness,
            SerialExecutor executor,
            NodeClock clock,
            PlacementSettings settings,
            Consumer<Move.Step> handOvers) {
        this.store = store;
        this.executor = executor;
        this.clock = clock;
        this.settings = settings;
        this.moves = new OrderlyMoves(store, executor, clock, handOvers);
        this.absences = new AbsenceWatch(liveness, store.localNode(), settings.vanishedGrace(), settings.unseenGrace());
        store.addListener(this::changed);
        liveness.onChange(() -> executor.execute(this::watch));
    }

    /** Begins to look. Called once, on any thread. */
    public void start() {
        executor.execute(() -> {
            isTicking = true;
            lastSweep = clock.nanoTime();
            tick();
        });
    }

    /** Proposes nothing more. What is under way may still take effect. */
    @Override
    public void close() {
        isClosed = true;
    }

    /**
     * Moves leaders so that the nodes lead about as many of these queues each. May be asked on any node.
     *
     * @return how many leaders moved
     */
    public CompletionStage<Integer> rebalance(Predicate<QueueName> which) {
        return store.clusterUpToDate().thenCompose(image -> {
            List<QueuePlacement> queues = image.placements().values().stream()
                    .filter(each -> which.test(each.queue()))
                    .toList();
            List<Move.Step> steps = Rebalance.plan(new PlannedLoads(image), queues, each -> mirroring(image, each));
            LOG.info("rebalance: {} of {} queues get another leader", steps.size(), queues.size());
            return move(steps, 0);
        });
    }

    private CompletionStage<Integer> move(List<Move.Step> steps, int from) {
        if (from >= steps.size()) {
            return CompletableFuture.completedFuture(steps.size());
        }
        int to = Math.min(steps.size(), from + STEPS_MAX);
        return moves.move(List.copyOf(steps.subList(from, to))).thenCompose(done -> move(steps, to));
    }

    private @Nullable MirroringPolicy mirroring(ClusterImage image, QueuePlacement placement) {
        QueueDefinition queue = image.definitions().queue(placement.queue());
        return queue == null
                ? null
                : matchers.forQueue(image.definitions(), queue).mirroring();
    }

    private boolean leads() {
        return isTicking && !isClosed && store.isRaftLeader() && store.hasMajority();
    }

    private void changed(ClusterDelta delta, ClusterImage image) {
        if (isClosed) {
            return;
        }
        if (!store.isRaftLeader()) {
            hasMissed = true;
            if (!delta.nodes().isEmpty()) {
                executor.execute(this::watch);
            }
            return;
        }
        executor.execute(() -> collect(delta));
    }

    private void collect(ClusterDelta delta) {
        boolean concernsAll = delta.isReload()
                || !delta.nodes().isEmpty()
                || !delta.definitions().policies().isEmpty();
        if (hasMissed || concernsAll) {
            hasMissed = false;
            sweep();
        }
        if (!delta.nodes().isEmpty()) {
            watch();
        }
        for (ClusterDelta.PlacementChange each : delta.placements()) {
            if (each.after() != null) {
                concerned.add(each.queue());
            }
        }
        if (concerned.size() > CONCERNED_MAX) {
            sweep();
        }
        planTurn(settings.collect().toNanos());
    }

    /** Looks at all queues, from the first. */
    private void sweep() {
        concerned.clear();
        isSweeping = true;
        sweptTo = null;
        lastSweep = clock.nanoTime();
    }

    private void tick() {
        if (isClosed) {
            return;
        }
        watch();
        if (leads()) {
            if (hasMissed || clock.nanoTime() - lastSweep >= settings.recheck().toNanos()) {
                hasMissed = false;
                sweep();
            }
            planTurn(0);
        } else {
            hasMissed = true;
        }
        executor.schedule(this::tick, TICK_NANOS);
    }

    private void planTurn(long delayNanos) {
        if (!isTurnDue && !(concerned.isEmpty() && !isSweeping)) {
            isTurnDue = true;
            executor.schedule(this::turn, delayNanos);
        }
    }

    private void turn() {
        isTurnDue = false;
        if (!leads()) {
            concerned.clear();
            isSweeping = false;
            hasMissed = true;
            return;
        }
        if (underWay.size() >= STEPS_MAX) {
            return; // the answers will go on
        }
        ClusterImage image = store.cluster();
        Plan plan = new Plan(image);
        List<QueueName> queues = nextQueues(image, Math.min(QUEUES_PER_TURN, STEPS_MAX - underWay.size()));
        for (QueueName queue : queues) {
            QueuePlacement placement = image.placement(queue);
            // One that is under way is looked at again when the answer is there.
            if (placement != null && !underWay.containsKey(placement.incarnation())) {
                plan.look(placement);
            }
        }
        plan.propose();
        planTurn(0);
    }

    private List<QueueName> nextQueues(ClusterImage image, int max) {
        List<QueueName> queues = new ArrayList<>();
        for (var each = concerned.iterator(); each.hasNext() && queues.size() < max; ) {
            queues.add(each.next());
            each.remove();
        }
        if (isSweeping && queues.size() < max) {
            QueueName from = sweptTo;
            var rest = from == null
                    ? image.placements()
                    : image.placements().tailMap(new QueueName(from.vhost(), from.value() + '\0'));
            for (QueueName each : rest.keySet()) {
                if (queues.size() >= max) {
                    return queues;
                }
                queues.add(each);
                sweptTo = each;
            }
            isSweeping = false;
        }
        return queues;
    }

    /** What one turn proposes: one command per kind of step. */
    private final class Plan {
        private final ClusterImage image;
        private final PlannedLoads loads;
        private final List<AddReplica.Step> adds = new ArrayList<>();
        private final List<RemoveReplica.Step> removals = new ArrayList<>();
        private final List<Move.Step> leads = new ArrayList<>();

        Plan(ClusterImage image) {
            this.image = image;
            this.loads = new PlannedLoads(image);
            underWay.forEach((incarnation, step) -> {
                QueuePlacement placement = image.placement(incarnation);
                if (placement != null) {
                    count(placement, step);
                }
            });
        }

        void look(QueuePlacement placement) {
            PlacementStep step = MirrorPlacement.next(loads, placement, mirroring(image, placement));
            if (step == null) {
                return;
            }
            underWay.put(placement.incarnation(), step);
            count(placement, step);
            LOG.debug("queue {}: {}", placement.queue(), step);
            if (step instanceof PlacementStep.Add add) {
                adds.add(add.of(placement));
            } else if (step instanceof PlacementStep.Remove remove) {
                removals.add(remove.of(placement));
            } else if (step instanceof PlacementStep.Lead lead) {
                leads.add(lead.of(placement));
            }
        }

        /** Counts a step that the image does not show yet. */
        private void count(QueuePlacement placement, PlacementStep step) {
            NodeName leader = placement.leader();
            if (step instanceof PlacementStep.Add add && placement.replica(add.node()) == null) {
                loads.added(add.node());
            } else if (step instanceof PlacementStep.Remove remove && placement.replica(remove.node()) != null) {
                loads.removed(remove.node());
            } else if (step instanceof PlacementStep.Lead lead && leader != null && !placement.isLedBy(lead.node())) {
                loads.moved(leader, lead.node());
            }
        }

        void propose() {
            if (adds.size() + removals.size() + leads.size() > 0) {
                LOG.info(
                        "placement: {} mirrors to add, {} replicas to remove, {} leaders to move",
                        adds.size(),
                        removals.size(),
                        leads.size());
            }
            if (!adds.isEmpty()) {
                await(
                        store.propose(new AddReplica(List.copyOf(adds))),
                        adds.stream().map(AddReplica.Step::incarnation).toList());
            }
            if (!removals.isEmpty()) {
                await(
                        store.propose(new RemoveReplica(List.copyOf(removals))),
                        removals.stream().map(RemoveReplica.Step::incarnation).toList());
            }
            if (!leads.isEmpty()) {
                await(
                        moves.move(List.copyOf(leads)),
                        leads.stream().map(Move.Step::incarnation).toList());
            }
        }
    }

    private void await(CompletionStage<Outcome> steps, List<Long> incarnations) {
        steps.whenComplete((outcome, failure) -> executor.execute(() -> answered(incarnations, outcome, failure)));
    }

    private void answered(List<Long> incarnations, @Nullable Outcome outcome, @Nullable Throwable failure) {
        boolean isUnknown = failure != null || outcome == null;
        if (isUnknown) {
            // A majority is missing: what repeats itself at once helps nobody.
            executor.schedule(() -> lookAgain(incarnations), AGAIN_NANOS);
        } else {
            lookAgain(incarnations);
        }
    }

    private void lookAgain(List<Long> incarnations) {
        ClusterImage image = store.cluster();
        for (long incarnation : incarnations) {
            underWay.remove(incarnation);
            QueuePlacement placement = image.placement(incarnation);
            if (placement != null) {
                concerned.add(placement.queue());
            }
        }
        planTurn(settings.collect().toNanos());
    }

    private void watch() {
        if (!isTicking || isClosed) {
            return;
        }
        List<NodeDown> due = absences.look(store.cluster(), clock.nanoTime());
        if (absences.isAnyAbsent() && !isWatchDue) {
            isWatchDue = true;
            executor.schedule(
                    () -> {
                        isWatchDue = false;
                        watch();
                    },
                    ABSENT_TICK_NANOS);
        }
        if (!leads()) {
            return;
        }
        for (NodeDown each : due) {
            if (reporting.add(each.node())) {
                report(each);
            }
        }
    }

    /**
     * A node that was frozen finds all others gone when it wakes. So it asks the majority first: when it has the answer it also
     * knows whether it still leads Raft, and has heard of who was there meanwhile.
     */
    private void report(NodeDown down) {
        store.clusterUpToDate()
                .whenComplete((image, failure) -> executor.execute(() -> {
                    if (failure != null || !leads() || !absences.isStillAbsent(image, down)) {
                        reporting.remove(down.node());
                        return;
                    }
                    LOG.warn("node {} (boot {}) is gone: it is recorded as down", down.node(), down.boot());
                    store.propose(down)
                            .whenComplete((outcome, unknown) -> executor.execute(() -> {
                                reporting.remove(down.node());
                                if (unknown == null && !outcome.isRefused()) {
                                    absences.reported(down);
                                }
                            }));
                }));
    }
}
