package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.DefinitionsDelta;
import io.leveret.node.broker.definitions.DefinitionsImage;
import io.leveret.node.broker.definitions.DefinitionsListener;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.broker.definitions.Outcome.RefusalKind;
import io.leveret.node.runtime.FaultHandler;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.ratis.protocol.RaftPeerId;
import org.jspecify.annotations.Nullable;

/**
 * The metadata store on Ratis. One worker thread proposes, reads and watches; the image changes on Ratis's applying thread,
 * where listeners are called and stages complete, so neither may wait there.
 *
 * <pre>
 * new --start()--> forming --(a leader, and caught up with it)--> serving --close()--> closed
 * </pre>
 *
 * start() completes at "serving". A part of the group that ends by itself is fatal: the node would go on with old metadata.
 */
public final class RatisMetadataStore implements MetadataStore, AutoCloseable {
    private static final long IDLE_NANOS = Duration.ofMillis(100).toNanos();
    /** How often a node without a leader asks whether the others went on without it. */
    private static final long LOOK_NANOS = Duration.ofSeconds(2).toNanos();

    private static final long FORMING_NANOS = Duration.ofMillis(250).toNanos();

    private final MetadataSettings settings;
    private final NodeIdentity identity;
    private final ReplicaChoice choice;
    private final NodeClock clock;
    private final FaultHandler faults;
    /** Written by the applying thread. */
    private volatile ClusterImage image = ClusterImage.EMPTY;

    private final List<MetadataListener> listeners = new CopyOnWriteArrayList<>();
    private final List<MajorityListener> majorityListeners = new CopyOnWriteArrayList<>();
    private final CompletableFuture<@Nullable Void> started = new CompletableFuture<>();
    private final RaftLink raft;
    private final GroupFormation formation;
    private final RaftProposer proposer;
    private final BarrierReads reads;
    private final MajorityWatch majority;
    private volatile @Nullable Worker worker;
    private @Nullable CompletableFuture<@Nullable Void> catchingUp;
    private @Nullable CompletableFuture<Boolean> strikingOut;
    private final Queue<NodeName> forgotten = new ConcurrentLinkedQueue<>();
    private long nextLook;
    private long nextStrike;
    private volatile Supplier<? extends CompletionStage<?>> knownEverywhere =
            () -> CompletableFuture.completedFuture(Outcome.UPDATED);
    private volatile boolean isClosing;

    /**
     * Opens the data and binds the address; nothing is sent before {@link #start}.
     *
     * @throws IOException when the data is damaged or the address taken: the node must not start
     */
    public RatisMetadataStore(
            MetadataSettings settings,
            NodeIdentity identity,
            ReplicaChoice choice,
            NodeClock clock,
            FaultHandler faults)
            throws IOException {
        this.settings = settings;
        this.identity = identity;
        this.choice = choice;
        this.clock = clock;
        this.faults = faults;
        Files.createDirectories(settings.folder());
        ForceBoot.finish(settings);
        int generation = GenerationFile.read(settings.folder());
        Boolean begun = GroupFormation.begun(settings, generation);
        this.raft =
                new RaftLink(settings, generation, group -> new MetadataStateMachine(new Applying(), faults), begun);
        this.formation = new GroupFormation(settings, generation, raft, begun);
        this.proposer = new RaftProposer(settings.node(), identity, raft, settings.proposalDeadline(), this::catchUp);
        this.reads = new BarrierReads(raft, settings.proposalDeadline(), this::wake);
        this.majority = new MajorityWatch(settings.pauseAfter(), clock.nanoTime());
        this.nextLook = clock.nanoTime();
        this.nextStrike = nextLook;
    }

    /**
     * Takes part in the group. The stage completes when this node has caught up with a majority; it may take as long as
     * other nodes need to appear.
     */
    public CompletionStage<@Nullable Void> start() throws IOException {
        raft.start();
        worker = Worker.start("metadata", this::step, faults);
        return started;
    }

    private void wake() {
        Worker running = worker;
        if (running != null) {
            running.ring();
        }
    }

    private long step() {
        if (!formation.step()) {
            return FORMING_NANOS;
        }
        long now = clock.nanoTime();
        if (raft.leader() == null && now - nextLook >= 0) {
            nextLook = now + LOOK_NANOS;
            lookForNewerGeneration();
        }
        watchMajority(now);
        strikeOutForgotten(now);
        Long proposing = proposer.step(now);
        Long reading = reads.step(now);
        return proposing == null && reading == null ? IDLE_NANOS : Math.min(orIdle(proposing), orIdle(reading));
    }

    /** A forgotten node votes no more, or the majority would go on counting it. On every node, so a change of leader loses none. */
    private void strikeOutForgotten(long now) {
        forgotten.removeIf(each -> cluster().node(each) != null
                || raft.members().stream()
                        .noneMatch(voter -> voter.getId().toString().equals(each.value())));
        CompletableFuture<Boolean> asked = strikingOut;
        NodeName next = forgotten.peek();
        if (next != null && raft.isLeader() && (asked == null || asked.isDone()) && now - nextStrike >= 0) {
            nextStrike = now + LOOK_NANOS;
            strikingOut = raft.strikeOut(RaftPeerId.valueOf(next.value()));
        }
    }

    private void lookForNewerGeneration() {
        if (formation.isLeftBehind()) {
            faults.fatal(
                    "a survivor was forced to go on without this node: reset its data directory to join again",
                    new IllegalStateException("metadata of an older generation"));
        }
    }

    private static long orIdle(@Nullable Long nanos) {
        return nanos == null ? IDLE_NANOS : nanos;
    }

    private void watchMajority(long now) {
        boolean seesLeader = raft.leader() != null;
        if (majority.isLostBy(now, seesLeader)) {
            majorityListeners.forEach(MajorityListener::majorityLost);
        }
        CompletableFuture<@Nullable Void> read = catchingUp;
        if (read != null && read.isDone()) {
            catchingUp = null;
            if (!read.isCompletedExceptionally()) {
                majorityFound(now);
            }
        } else if (read == null && seesLeader && !majority.hasMajority()) {
            catchingUp = reads.ask(now);
        }
    }

    private void majorityFound(long now) {
        boolean isFound = majority.isFoundBy(now);
        if (started.isDone()) {
            if (isFound) {
                majorityListeners.forEach(MajorityListener::majorityBack);
            }
        } else if (isKnownAsAnother()) {
            started.completeExceptionally(new IOException("the data directory of this node is new, and its clock is"
                    + " behind: the cluster knows later boots of it. Start it again; it counts on from there"));
        } else {
            raiseGeneration();
        }
    }

    /** A boot that was given before must not be given again. The next start will be above what is recorded. */
    private boolean isKnownAsAnother() {
        ClusterNode known = cluster().node(settings.node());
        if (known == null || known.storeId().equals(identity.storeId()) || known.boot() < identity.boot()) {
            return false;
        }
        try {
            identity.raisedAbove(known.boot());
        } catch (IOException e) {
            faults.fatal("the boot of this node cannot be written", e);
        }
        return true;
    }

    /** After a forced start, before anything else: ids must not be given again that lost metadata may have given. */
    private void raiseGeneration() {
        int generation = formation.generation();
        if (cluster().generation() >= generation) {
            started.complete(null);
            return;
        }
        propose(new ClusterCommand.RaiseGeneration(generation)).whenComplete((outcome, failure) -> {
            if (cluster().generation() >= generation) {
                started.complete(null);
            } else if (!isClosing) {
                raiseGeneration();
            }
        });
    }

    /** What the state machine tells, on Ratis's applying thread. Listeners come before answers: who is told may look. */
    private final class Applying implements MetadataStateMachine.Applier {
        @Override
        public void applied(OpId op, Outcome outcome, ClusterDelta delta, ClusterImage next) {
            image = next;
            if (!delta.equals(ClusterDelta.NONE)) {
                listeners.forEach(each -> each.changed(delta, next));
            }
            proposer.applied(op, outcome);
            forgotten.addAll(delta.nodes().stream()
                    .filter(each -> next.node(each) == null)
                    .toList());
        }

        @Override
        public void reloaded(ClusterImage next) {
            image = next;
            listeners.forEach(each -> each.changed(ClusterDelta.RELOAD, next));
            // The first load happens while the store is being made.
            if (worker != null) {
                proposer.reloaded(next);
            }
        }

        @Override
        public void closedByItself() {
            if (!isClosing) {
                faults.fatal(
                        "this node's part in the metadata group ended",
                        new IllegalStateException("closed without being asked"));
            }
        }
    }

    @Override
    public ClusterImage cluster() {
        return image;
    }

    @Override
    public DefinitionsImage image() {
        return image.definitions();
    }

    /** A follower hears that something is committed with the next thing that the leader sends; a barrier is one. */
    private void catchUp() {
        reads.ask(clock.nanoTime());
        wake();
    }

    @Override
    public CompletionStage<Outcome> propose(ClusterCommand command) {
        CompletableFuture<Outcome> answer = proposer.propose(command, clock.nanoTime());
        wake();
        return answer;
    }

    /** @param everywhere completes when the other nodes, too, have applied what was agreed before the call; never fails */
    public void answerWhen(Supplier<? extends CompletionStage<?>> everywhere) {
        knownEverywhere = everywhere;
    }

    /** Whoever is told of a definition finds it on all nodes; what the cluster tells itself needs no such thing. */
    @Override
    public CompletionStage<Outcome> submit(DefinitionChange change) {
        return agreed(change)
                .thenCompose(outcome -> outcome.isRefused()
                        ? CompletableFuture.completedFuture(outcome)
                        : knownEverywhere.get().thenApply(done -> outcome));
    }

    private CompletionStage<Outcome> agreed(DefinitionChange change) {
        if (!(change instanceof DefinitionChange.DeclareQueue declare)) {
            return propose(new ClusterCommand.Define(change));
        }
        return propose(placed(declare, cluster())).thenCompose(outcome -> {
            if (outcome.isRefused() && outcome.requireRefusal().kind() == RefusalKind.UNAVAILABLE) {
                // All that were chosen went away meanwhile. The second choice is made from an image that knows it.
                return clusterUpToDate().thenCompose(newest -> propose(placed(declare, newest)));
            }
            return CompletableFuture.completedFuture(outcome);
        });
    }

    private ClusterCommand placed(DefinitionChange.DeclareQueue declare, ClusterImage newest) {
        return new ClusterCommand.Declare(declare, choice.choose(newest, declare, settings.node()));
    }

    @Override
    public CompletionStage<ClusterImage> clusterUpToDate() {
        CompletableFuture<@Nullable Void> barrier = reads.ask(clock.nanoTime());
        wake();
        return barrier.thenApply(done -> cluster());
    }

    @Override
    public CompletionStage<DefinitionsImage> upToDate() {
        return clusterUpToDate().thenApply(ClusterImage::definitions);
    }

    @Override
    public void addListener(MetadataListener listener) {
        listeners.add(listener);
    }

    @Override
    public void addListener(DefinitionsListener listener) {
        listeners.add((delta, next) -> {
            DefinitionsDelta definitions = delta.definitions();
            if (!definitions.equals(DefinitionsDelta.NONE)) {
                listener.changed(definitions, next.definitions());
            }
        });
    }

    @Override
    public void addMajorityListener(MajorityListener listener) {
        majorityListeners.add(listener);
    }

    @Override
    public NodeName localNode() {
        return settings.node();
    }

    @Override
    public long boot() {
        return identity.boot();
    }

    @Override
    public UUID storeId() {
        return identity.storeId();
    }

    @Override
    public boolean isRaftLeader() {
        return raft.isLeader();
    }

    @Override
    public boolean hasMajority() {
        return majority.hasMajority();
    }

    /** The nodes that vote now. */
    Set<NodeName> voters() {
        return raft.members().stream()
                .map(each -> new NodeName(each.getId().toString()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Writes a snapshot now; it also happens by itself. */
    CompletionStage<?> takeSnapshot() {
        return raft.takeSnapshot();
    }

    /** Leaves nothing running. What is unanswered fails as unknown. */
    @Override
    public void close() throws IOException {
        isClosing = true;
        Worker running = worker;
        if (running != null) {
            running.close();
        }
        proposer.close();
        reads.close();
        raft.close();
    }
}
