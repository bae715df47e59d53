package io.leveret.node.cluster.placement;

import static io.leveret.node.cluster.placement.Scene.n;
import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.NodeName;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.ClusterCommand.AddReplica;
import io.leveret.node.cluster.metadata.ClusterCommand.NodeDown;
import io.leveret.node.runtime.ManualExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PlacementControllerTest {
    private static final Duration UNSEEN_GRACE = Duration.ofSeconds(10);

    private final Scene scene = new Scene("ABC");
    private final InMemoryStore store = new InMemoryStore(scene);
    private final ManualExecutor loop = new ManualExecutor();
    private final Seen seen = new Seen();
    private final PlacementController controller = new PlacementController(
            store,
            seen,
            loop,
            loop,
            PlacementSettings.standard(UNSEEN_GRACE),
            step -> store.propose(new ClusterCommand.Move(List.of(step))));

    /** Who is seen, as the test says. */
    private static final class Seen implements Liveness {
        final Map<NodeName, Long> boots = new HashMap<>();
        private final List<Runnable> listeners = new ArrayList<>();

        void appears(String node, long boot) {
            boots.put(n(node), boot);
            listeners.forEach(Runnable::run);
        }

        void vanishes(String node) {
            boots.remove(n(node));
            listeners.forEach(Runnable::run);
        }

        @Override
        public boolean isAlive(NodeName node, long boot) {
            return boots.getOrDefault(node, 0L) == boot;
        }

        @Override
        public void onChange(Runnable task) {
            listeners.add(task);
        }
    }

    @BeforeEach
    void start() {
        for (String each : List.of("A", "B", "C")) {
            seen.appears(each, 1);
        }
        controller.start();
        loop.runAll();
    }

    /** Lets time pass; what is proposed is agreed on within a millisecond. */
    private void pass(long millis) {
        for (long i = 0; i < millis; i++) {
            loop.advanceMillis(1);
            while (store.agree()) {
                loop.runAll();
            }
        }
    }

    private void policy(Map<String, Object> keys) {
        scene.policy(keys);
        store.changed();
    }

    private <C extends ClusterCommand> List<C> proposed(Class<C> type) {
        return store.proposed.stream().filter(type::isInstance).map(type::cast).toList();
    }

    @Test
    void aPolicyIsCarriedOutStepByStep() {
        scene.declare("q", "A");
        policy(Scene.listed("BC"));
        pass(200);
        assertThat(scene.shape("q")).isEqualTo("A*bc");
        scene.join("q", "C");
        store.changed();
        pass(200);
        assertThat(scene.shape("q")).isEqualTo("AbC*");
        scene.open("q");
        store.changed();
        scene.join("q", "B");
        store.changed();
        pass(200);
        assertThat(scene.shape("q")).isEqualTo("BC*");
    }

    @Test
    void manyQueuesShareOneCommandAndEachHasOneStepAtATime() {
        for (int i = 0; i < 2 * PlacementController.QUEUES_PER_TURN; i++) {
            scene.declare("q" + i, "A");
        }
        policy(Scene.all());
        pass(100);
        List<AddReplica> adds = proposed(AddReplica.class);
        assertThat(adds).hasSizeLessThan(8);
        for (AddReplica each : adds) {
            assertThat(each.steps().stream().map(AddReplica.Step::incarnation)).doesNotHaveDuplicates();
        }
        pass(200);
        assertThat(scene.image.load(n("B")).replicas()).isEqualTo(2 * PlacementController.QUEUES_PER_TURN);
        assertThat(scene.image.load(n("C")).replicas()).isEqualTo(2 * PlacementController.QUEUES_PER_TURN);
    }

    @Test
    void noMoreStepsAreUnderWayThanTheBound() {
        for (int i = 0; i < PlacementController.STEPS_MAX + 300; i++) {
            scene.declare("q" + i, "A");
        }
        policy(Scene.all());
        loop.advanceMillis(2_000);
        int steps = proposed(AddReplica.class).stream()
                .mapToInt(each -> each.steps().size())
                .sum();
        assertThat(steps).isEqualTo(PlacementController.STEPS_MAX);
        pass(500);
        assertThat(scene.image.load(n("B")).replicas()).isEqualTo(PlacementController.STEPS_MAX + 300);
        assertThat(scene.image.load(n("C")).replicas()).isEqualTo(PlacementController.STEPS_MAX + 300);
    }

    @Test
    void moreQueuesThanAreCollectedAreStillAllSeen() {
        policy(Scene.exactly(2));
        pass(100);
        int queues = PlacementController.CONCERNED_MAX + 10;
        for (int i = 0; i < queues; i++) {
            scene.declare("q" + i, "A");
            store.changed();
        }
        pass(3_000);
        assertThat(scene.image.load(n("B")).replicas()
                        + scene.image.load(n("C")).replicas())
                .isEqualTo(queues);
        assertThat(scene.image.load(n("B")).replicas()).isEqualTo(queues / 2);
    }

    @Test
    void nothingIsProposedWhereTheRaftLeaderIsNot() {
        store.isRaftLeader = false;
        scene.declare("q", "A");
        policy(Scene.all());
        seen.vanishes("C");
        pass(3_000);
        assertThat(store.proposed).isEmpty();

        store.isRaftLeader = true;
        pass(150);
        assertThat(proposed(NodeDown.class)).as("it has watched all the time").containsExactly(new NodeDown(n("C"), 1));
        pass(1_000);
        assertThat(scene.shape("q")).isEqualTo("A*b");
    }

    @Test
    void anUnknownOutcomeIsLookedAtAgain() {
        scene.declare("q", "A");
        store.isDown = true;
        policy(Scene.exactly(2));
        pass(2_000);
        assertThat(store.proposed).as("not without pause").hasSizeBetween(3, 6);
        store.isDown = false;
        pass(1_000);
        assertThat(scene.shape("q")).isEqualTo("A*b");
    }

    @Test
    void aStaleStepIsComputedAnew() {
        scene.declare("q", "AB");
        policy(Scene.all());
        loop.advanceMillis(50);
        assertThat(proposed(AddReplica.class)).hasSize(1);
        scene.shrink("q", "B");
        store.changed();
        pass(100);
        assertThat(proposed(AddReplica.class)).hasSize(2);
        assertThat(scene.shape("q")).isEqualTo("A*bc");
    }

    @Test
    void whatNobodyToldOfIsFoundByTheRecheck() {
        pass(10);
        scene.declare("q", "A");
        scene.policy(Scene.all());
        pass(5_000);
        assertThat(store.proposed).isEmpty();
        pass(30_000);
        assertThat(scene.shape("q")).isEqualTo("A*bc");
    }

    @Test
    void aClosedControllerProposesNothing() {
        controller.close();
        scene.declare("q", "A");
        policy(Scene.all());
        seen.vanishes("C");
        pass(40_000);
        assertThat(store.proposed).isEmpty();
    }

    @Test
    void aNodeWhoseConnectionsCloseIsDownAtOnce() {
        scene.declare("q", "CAB");
        seen.vanishes("C");
        pass(1);
        assertThat(scene.image.isLive(n("C"))).isFalse();
        assertThat(scene.queue("q").leader()).isEqualTo(n("A"));
    }

    @Test
    void aRestartedProcessEndsTheBootThatIsRecorded() {
        seen.appears("C", 2);
        pass(1);
        assertThat(proposed(NodeDown.class)).containsExactly(new NodeDown(n("C"), 1));
        scene.up("C");
        store.changed();
        pass(20_000);
        assertThat(proposed(NodeDown.class)).hasSize(1);
        assertThat(scene.image.isLive(n("C"))).isTrue();
    }

    @Test
    void aNodeThatWasNeverSeenGetsTimeToAppear() {
        scene.up("D");
        store.changed();
        pass(UNSEEN_GRACE.toMillis() - 1_000);
        assertThat(store.proposed).isEmpty();
        pass(2_000);
        assertThat(proposed(NodeDown.class)).containsExactly(new NodeDown(n("D"), 1));
    }

    @Test
    void aNodeThatComesBackUnseenIsReportedEverMoreRarely() {
        seen.vanishes("C");
        long[] reported = new long[40];
        for (int second = 0; second < 600; second++) {
            pass(1_000);
            int reports = proposed(NodeDown.class).size();
            if (!scene.image.isLive(n("C"))) {
                reported[reports] = second;
                store.apply(new ClusterCommand.NodeUp(n("C"), 1, new UUID('C', 0), false, Set.of()));
            }
        }
        assertThat(proposed(NodeDown.class)).hasSize(5);
        assertThat(reported[3] - reported[2]).isGreaterThan(reported[2] - reported[1]);
        seen.appears("C", 1);
        pass(1);
        seen.vanishes("C");
        pass(1);
        assertThat(proposed(NodeDown.class)).as("seen again: believed again").hasSize(6);
    }

    @Test
    void aNodeThatWakesUpAsksTheMajorityBeforeItReportsAll() {
        seen.vanishes("B");
        seen.vanishes("C");
        loop.advanceMillis(50);
        store.isRaftLeader = false;
        pass(1_000);
        assertThat(store.proposed).isEmpty();

        store.isRaftLeader = true;
        loop.advanceMillis(150);
        seen.appears("B", 1);
        seen.appears("C", 1);
        pass(1_000);
        assertThat(store.proposed).as("they were back before the answer").isEmpty();
    }

    @Test
    void withoutMajorityNobodyIsReported() {
        store.hasMajority = false;
        seen.vanishes("B");
        seen.vanishes("C");
        pass(5_000);
        assertThat(store.proposed).isEmpty();
    }

    @Test
    void rebalanceMovesWhatItSays() {
        policy(Scene.all());
        for (int i = 0; i < 9; i++) {
            scene.declare(i < 6 ? "a" + i : "b" + i, "ABC");
        }
        var moved = controller.rebalance(queue -> queue.value().startsWith("a")).toCompletableFuture();
        pass(30);
        assertThat(moved).isCompletedWithValue(4);
        assertThat(scene.image.load(n("A")).leaders()).isEqualTo(5);
        assertThat(scene.image.load(n("B")).leaders()).isEqualTo(2);
    }
}
