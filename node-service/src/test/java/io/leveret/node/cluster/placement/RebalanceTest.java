package io.leveret.node.cluster.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.NodeName;
import io.leveret.node.cluster.metadata.ClusterCommand.Move;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RebalanceTest {
    private final Scene scene = new Scene("ABC");

    private List<Move.Step> plan() {
        return Rebalance.plan(
                new PlannedLoads(scene.image),
                scene.image.placements().values(),
                each -> scene.mirroring(each.queue().value()));
    }

    private List<Integer> leaders() {
        List<Integer> counts = new ArrayList<>();
        for (NodeName each : scene.image.nodes().keySet()) {
            counts.add(scene.image.load(each).leaders());
        }
        return counts;
    }

    @Test
    void leadersSpreadEvenlyAndReplicasStay() {
        scene.policy(Scene.all());
        for (int i = 0; i < 31; i++) {
            scene.declare("q" + i, "ABC");
        }
        List<Move.Step> moves = plan();
        assertThat(moves).hasSize(20);
        assertThat(scene.apply(new Move(moves)).isRefused()).isFalse();
        assertThat(leaders()).containsExactlyInAnyOrder(10, 10, 11);
        assertThat(scene.image.load(Scene.n("B")).replicas()).isEqualTo(31);
        for (int i = 0; i < 31; i++) {
            scene.open("q" + i);
            assertThat(scene.next("q" + i)).as("the controller agrees").isNull();
        }
        assertThat(plan()).isEmpty();
    }

    @Test
    void onlyInSyncMirrorsThatMayLeadAndAreMeantToStayTakeOver() {
        for (String queue : List.of("o", "p", "q", "r")) {
            scene.declare(queue, "ABC");
            scene.shrink(queue, "B");
        }
        scene.declare("alone", "A");
        scene.policy(Scene.listed("AB"));
        assertThat(plan()).as("C is not listed, B not in sync").isEmpty();
        scene.policy(Scene.all());
        scene.drain("C", true);
        assertThat(plan()).as("C is drained").isEmpty();
        scene.drain("C", false);
        assertThat(plan()).hasSize(2).allMatch(each -> each.to().equals(Scene.n("C")));
        scene.noPolicy();
        assertThat(plan()).as("nothing is mirrored").isEmpty();
    }

    @Test
    void noPlanMakesItWorse() {
        long seed = 7;
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            Scene some = new Scene("ABCD");
            some.policy(Scene.all());
            int queues = random.nextInt(40);
            for (int i = 0; i < queues; i++) {
                int first = random.nextInt(3);
                some.declare("q" + i, "ABCD".substring(first, first + 2));
            }
            List<Move.Step> moves = Rebalance.plan(
                    new PlannedLoads(some.image),
                    some.image.placements().values(),
                    each -> some.mirroring(each.queue().value()));
            int before = busiest(some);
            for (Move.Step each : moves) {
                assertThat(some.apply(new Move(List.of(each))).isRefused())
                        .as("seed %d round %d", seed, round)
                        .isFalse();
            }
            assertThat(busiest(some)).as("seed %d round %d", seed, round).isLessThanOrEqualTo(before);
        }
    }

    private static int busiest(Scene some) {
        return some.image.nodes().keySet().stream()
                .mapToInt(each -> some.image.load(each).leaders())
                .max()
                .orElse(0);
    }
}
