package io.leveret.node.cluster.replication;

import io.leveret.model.NodeName;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.MetadataStore;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.runtime.SerialExecutor;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What replicas of this node ask of the metadata. Steps of one kind that come together become one command. A step without an
 * answer is proposed again while metadata, as applied here, shows that it is neither done nor void: a command says itself on
 * what it depends, so a second one does no harm. Owned by one executor. Bound: a step per replica and kind.
 */
final class Proposals {
    private static final Logger LOG = LoggerFactory.getLogger(Proposals.class);
    /** Steps in one command: far below what a log entry may hold. */
    private static final int STEPS_MAX = 2_000;

    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final MetadataStore store;
    private final SerialExecutor executor;
    private final Batch<ClusterCommand.Open.Step> opens;
    private final Batch<ClusterCommand.Join.Step> joins;
    private final Batch<ClusterCommand.Shrink.Step> shrinks;
    private final Batch<ClusterCommand.MergeDone.Step> merges;
    private final Batch<ClusterCommand.Move.Step> moves;
    private final Batch<ClusterCommand.Expire.Step> deletes;
    private final Batch<ClusterCommand.Expire.Step> expiries;

    Proposals(MetadataStore store, SerialExecutor executor) {
        this.store = store;
        this.executor = executor;
        opens = new Batch<>(
                ClusterCommand.Open::new,
                ClusterCommand.Open.Step::incarnation,
                (placement, step) -> placement.epoch() == step.epoch() && !placement.isOpened());
        joins = new Batch<>(
                ClusterCommand.Join::new,
                ClusterCommand.Join.Step::incarnation,
                (placement, step) -> placement.epoch() == step.epoch()
                        && placement.version() == step.version()
                        && !placement.isInSync(step.node()));
        shrinks = new Batch<>(
                ClusterCommand.Shrink::new,
                ClusterCommand.Shrink.Step::incarnation,
                (placement, step) -> placement.epoch() == step.epoch() && placement.isInSync(step.node()));
        merges = new Batch<>(
                ClusterCommand.MergeDone::new,
                ClusterCommand.MergeDone.Step::incarnation,
                (placement, step) -> placement.epoch() == step.epoch()
                        && placement.version() == step.version()
                        && placement.isAbandoned(step.node()));
        moves = new Batch<>(
                ClusterCommand.Move::new,
                ClusterCommand.Move.Step::incarnation,
                (placement, step) -> placement.epoch() == step.epoch() && placement.version() == step.version());
        deletes = new Batch<>(
                ClusterCommand.Expire::new,
                ClusterCommand.Expire.Step::incarnation,
                (placement, step) -> placement.epoch() == step.epoch());
        // Somebody may use the queue meanwhile: its leader asks again, or does not.
        expiries = new Batch<>(
                ClusterCommand.Expire::new, ClusterCommand.Expire.Step::incarnation, (placement, step) -> false);
    }

    /** The leader took over. Any thread, as all of these. */
    void open(long incarnation, long epoch) {
        opens.add(new ClusterCommand.Open.Step(incarnation, epoch));
    }

    void join(ClusterCommand.Join.Step step) {
        joins.add(step);
    }

    void shrink(long incarnation, NodeName node, long epoch) {
        shrinks.add(new ClusterCommand.Shrink.Step(incarnation, node, epoch));
    }

    void mergeDone(long incarnation, NodeName node, long epoch, long version) {
        merges.add(new ClusterCommand.MergeDone.Step(incarnation, node, epoch, version));
    }

    void move(long incarnation, NodeName to, long epoch, long version) {
        moves.add(new ClusterCommand.Move.Step(incarnation, to, epoch, version));
    }

    /**
     * An auto-delete queue has lost its last consumer. Void in a later epoch: consumers leave a leader that was replaced,
     * which may hear of it last, for the next one.
     */
    void delete(long incarnation, long epoch) {
        deletes.add(new ClusterCommand.Expire.Step(incarnation, epoch));
    }

    /** Nobody used a queue for as long as it may be unused. */
    void expire(long incarnation, long epoch) {
        expiries.add(new ClusterCommand.Expire.Step(incarnation, epoch));
    }

    /** Steps of one kind. */
    private final class Batch<S> {
        private final Function<List<S>, ClusterCommand> command;
        private final ToLongFunction<S> incarnation;
        private final BiPredicate<QueuePlacement, S> isWanted;
        private final Set<S> collected = new LinkedHashSet<>();
        private final Set<S> proposed = new LinkedHashSet<>();
        private boolean isDue;

        Batch(
                Function<List<S>, ClusterCommand> command,
                ToLongFunction<S> incarnation,
                BiPredicate<QueuePlacement, S> isWanted) {
            this.command = command;
            this.incarnation = incarnation;
            this.isWanted = isWanted;
        }

        void add(S step) {
            executor.execute(() -> {
                if (!proposed.contains(step) && collected.add(step)) {
                    plan();
                }
            });
        }

        private void plan() {
            if (!isDue) {
                isDue = true;
                // One more turn of the mailbox: the other replicas of the same apply are about to ask as well.
                executor.atEndOfBatch(() -> executor.execute(this::propose));
            }
        }

        private void propose() {
            isDue = false;
            List<S> steps = collected.stream().limit(STEPS_MAX).toList();
            steps.forEach(collected::remove);
            if (steps.isEmpty()) {
                return;
            }
            proposed.addAll(steps);
            ClusterCommand proposal = command.apply(steps);
            LOG.debug("proposing {}", proposal);
            store.propose(proposal)
                    .whenComplete((outcome, failure) -> executor.execute(() -> answered(steps, outcome, failure)));
            if (!collected.isEmpty()) {
                plan();
            }
        }

        private void answered(List<S> steps, Outcome outcome, Throwable failure) {
            if (failure != null) {
                LOG.debug("no answer to {}: {}", command.apply(steps), failure.toString());
                executor.schedule(() -> again(steps), AGAIN_NANOS);
            } else {
                steps.forEach(proposed::remove);
                if (outcome.isRefused()) {
                    LOG.debug(
                            "refused: {}: {}",
                            command.apply(steps),
                            outcome.requireRefusal().reason());
                }
            }
        }

        private void again(List<S> steps) {
            steps.forEach(proposed::remove);
            ClusterImage image = store.cluster();
            for (S each : steps) {
                QueuePlacement placement = image.placement(incarnation.applyAsLong(each));
                if (placement != null && isWanted.test(placement, each) && collected.add(each)) {
                    plan();
                }
            }
        }
    }
}
