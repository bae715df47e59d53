package io.leveret.node.cluster.placement;

import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.cluster.metadata.ClusterCommand.Move;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.MetadataStore;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.SerialExecutor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Moves leaders by their own hand: each is asked to give way, which takes it a moment, since its consumers are to settle what
 * they have and the next leader is to know what was delivered. Those that have not done so in time are moved without.
 */
final class OrderlyMoves {
    /** More than a leader gives its consumers, and a commit and a command after it. */
    static final long PATIENCE_NANOS = Duration.ofSeconds(4).toNanos();

    private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();

    private final MetadataStore store;
    private final SerialExecutor executor;
    private final NodeClock clock;
    private final Consumer<Move.Step> asks;

    /** @param asks asks the leader of a queue to give way; may lose its way */
    OrderlyMoves(MetadataStore store, SerialExecutor executor, NodeClock clock, Consumer<Move.Step> asks) {
        this.store = store;
        this.executor = executor;
        this.clock = clock;
        this.asks = asks;
    }

    /** Any thread. @return completes when each step was taken, was refused, or has become void */
    CompletionStage<Outcome> move(List<Move.Step> steps) {
        CompletableFuture<Outcome> done = new CompletableFuture<>();
        steps.forEach(asks);
        long deadline = clock.nanoTime() + PATIENCE_NANOS;
        executor.execute(() -> look(steps, deadline, done));
        return done;
    }

    private void look(List<Move.Step> steps, long deadline, CompletableFuture<Outcome> done) {
        ClusterImage image = store.cluster();
        List<Move.Step> left = steps.stream()
                .filter(each -> {
                    QueuePlacement placement = image.placement(each.incarnation());
                    return placement != null && placement.epoch() == each.epoch();
                })
                .toList();
        if (left.isEmpty()) {
            done.complete(Outcome.UPDATED);
        } else if (clock.nanoTime() - deadline < 0) {
            executor.schedule(() -> look(left, deadline, done), LOOK_NANOS);
        } else {
            store.propose(new Move(left)).whenComplete((outcome, failure) -> {
                if (failure == null) {
                    done.complete(outcome);
                } else {
                    done.completeExceptionally(failure);
                }
            });
        }
    }
}
