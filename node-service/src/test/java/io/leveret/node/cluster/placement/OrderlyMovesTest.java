package io.leveret.node.cluster.placement;

import static io.leveret.node.cluster.placement.Scene.n;
import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.cluster.metadata.ClusterCommand.Move;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.runtime.ManualExecutor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderlyMovesTest {
    private static final long PATIENCE_MILLIS = OrderlyMoves.PATIENCE_NANOS / 1_000_000;

    private final Scene scene = new Scene("ABC");
    private final InMemoryStore store = new InMemoryStore(scene);
    private final ManualExecutor loop = new ManualExecutor();
    private final List<Move.Step> asked = new ArrayList<>();

    private Move.Step step(String queue) {
        scene.declare(queue, "AB");
        QueuePlacement placement = scene.queue(queue);
        return new Move.Step(placement.incarnation(), n("B"), placement.epoch(), placement.version());
    }

    private void pass(long millis) {
        for (long i = 0; i < millis; i++) {
            loop.advanceMillis(1);
            while (store.agree()) {
                loop.runAll();
            }
        }
    }

    @Test
    void aLeaderThatDoesNotGiveWayInTimeIsMovedWithout() {
        Move.Step willing = step("willing");
        Move.Step deaf = step("deaf");
        var done = new OrderlyMoves(store, loop, loop, asked::add)
                .move(List.of(willing, deaf))
                .toCompletableFuture();
        assertThat(asked).containsExactly(willing, deaf);
        store.propose(new Move(List.of(willing)));
        pass(PATIENCE_MILLIS - 100);
        assertThat(scene.queue("willing").leader()).isEqualTo(n("B"));
        assertThat(scene.queue("deaf").leader()).isEqualTo(n("A"));
        assertThat(done).isNotDone();
        pass(200);
        assertThat(scene.queue("deaf").leader()).isEqualTo(n("B"));
        assertThat(done).isCompleted();
    }

    @Test
    void nothingMoreIsDoneWhenAllHaveGivenWay() {
        Move.Step step = step("q");
        var done = new OrderlyMoves(store, loop, loop, each -> store.propose(new Move(List.of(each))))
                .move(List.of(step))
                .toCompletableFuture();
        pass(100);
        assertThat(done).isCompleted();
        long epoch = scene.queue("q").epoch();
        pass(PATIENCE_MILLIS);
        assertThat(scene.queue("q").epoch()).isEqualTo(epoch);
    }
}
