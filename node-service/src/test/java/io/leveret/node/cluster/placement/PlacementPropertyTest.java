package io.leveret.node.cluster.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.NodeName;
import io.leveret.node.broker.definitions.MirroringPolicy;
import io.leveret.node.cluster.metadata.ClusterNode;
import io.leveret.node.cluster.metadata.NodeLoad;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.metadata.Replica;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Random clusters, policies and events: every step is safe, and once events stop, few steps lead to what is wanted. */
class PlacementPropertyTest {
    private static final String NODES = "ABCDE";
    private static final String QUEUES = "pqr";
    private static final int EVENTS = 60;
    /** Add and remove a replica on each node, and two moves: from where it is, and to a node that came into sync later. */
    private static final int STEPS_MAX = 2 * NODES.length() + 2;

    @Test
    void everyStepIsSafeAndTheyEndWhereThePolicyWants() {
        long base = Long.getLong("placement.seed", 20_240_501L);
        int rounds = Integer.getInteger("placement.rounds", 400);
        for (long seed = base; seed < base + rounds; seed++) {
            try {
                new Run(seed).play();
            } catch (AssertionError e) {
                throw new AssertionError("-Dplacement.seed=" + seed + " -Dplacement.rounds=1", e);
            }
        }
    }

    private static final class Run {
        private final Random random;
        private final Scene scene = new Scene(NODES);
        private final List<String> trace = new ArrayList<>();

        Run(long seed) {
            random = new Random(seed);
        }

        void play() {
            try {
                for (String queue : QUEUES.split("")) {
                    scene.declare(queue, someNodes());
                }
                for (int i = 0; i < EVENTS; i++) {
                    event();
                    loadsAreCounted();
                }
                if (random.nextInt(4) > 0) {
                    scene.image.nodes().values().stream()
                            .filter(node -> !node.isLive())
                            .forEach(node -> scene.up(node.name().value(), node.isWitness()));
                }
                for (String queue : QUEUES.split("")) {
                    if (scene.image.placement(Scene.q(queue)) != null) {
                        quiet(queue);
                    }
                }
            } catch (AssertionError e) {
                throw new AssertionError(String.join("\n", trace), e);
            }
        }

        private void event() {
            String node = one(NODES);
            String queue = one(QUEUES);
            ClusterNode known = Objects.requireNonNull(scene.image.node(Scene.n(node)));
            boolean exists = scene.image.placement(Scene.q(queue)) != null;
            switch (random.nextInt(12)) {
                case 0 -> policy();
                case 1 -> {
                    if (known.isLive()) {
                        say("down " + node);
                        scene.down(node);
                    }
                }
                case 2, 3 -> {
                    say("up " + node);
                    scene.up(node, random.nextInt(20) == 0);
                }
                case 4 -> {
                    say("drain " + node);
                    scene.drain(node, random.nextInt(3) == 0);
                }
                case 5 -> {
                    if (exists) {
                        say("shrink " + queue + node);
                        scene.shrink(queue, node);
                    }
                }
                default -> {
                    if (exists) {
                        progress(queue);
                        step(queue);
                    }
                }
            }
        }

        /** The leader of a queue opens, or brings one mirror in. @return whether there was anything to do */
        private boolean progress(String name) {
            QueuePlacement queue = scene.queue(name);
            if (queue.leader() == null) {
                return false;
            }
            if (!queue.isOpened()) {
                scene.open(name);
                return true;
            }
            List<Replica> late = new ArrayList<>(queue.replicas());
            late.removeIf(each -> each.isInSync() || !scene.image.isLive(each.node()));
            if (late.isEmpty()) {
                return false;
            }
            Replica one = late.get(random.nextInt(late.size()));
            if (one.isAbandoned()) {
                scene.merged(name, one.node().value());
            } else {
                scene.join(name, one.node().value());
            }
            say("in sync " + one.node() + " " + name + "=" + scene.shape(name));
            return true;
        }

        private boolean step(String name) {
            PlacementStep step = scene.next(name);
            if (step == null) {
                return false;
            }
            QueuePlacement before = scene.queue(name);
            int intact = intact(before);
            assertThat(scene.take(name, step).isRefused())
                    .as("%s refused", step)
                    .isFalse();
            QueuePlacement after = scene.queue(name);
            say(Scene.text(step) + " " + name + "=" + scene.shape(name));
            assertThat(after.inSync()).isNotEmpty();
            assertThat(intact(after)).isGreaterThanOrEqualTo(Math.min(intact, wanted(name)));
            if (step instanceof PlacementStep.Lead lead) {
                assertThat(before.isInSync(lead.node()) && scene.image.isLive(lead.node()))
                        .isTrue();
            }
            return true;
        }

        private int intact(QueuePlacement queue) {
            return (int) queue.inSync().stream().filter(scene.image::isLive).count();
        }

        private Set<NodeName> holders() {
            return scene.image.nodes().values().stream()
                    .filter(ClusterNode::canHoldQueues)
                    .map(ClusterNode::name)
                    .collect(Collectors.toSet());
        }

        /** How many copies the policy asks for, as far as nodes are there. */
        private int wanted(String name) {
            MirroringPolicy policy = scene.mirroring(name);
            if (policy == null) {
                return 1;
            }
            return switch (policy.mode()) {
                case ALL -> holders().size();
                case EXACTLY -> Math.min(policy.count(), holders().size());
                case NODES ->
                    Math.max(1, (int)
                            policy.nodes().stream().filter(holders()::contains).count());
            };
        }

        /** No more events: mirrors come into sync, and steps are taken as they become possible. */
        private void quiet(String name) {
            say("quiet " + name + "=" + scene.shape(name) + " policy " + scene.mirroring(name));
            int steps = 0;
            boolean isMoving = true;
            while (isMoving) {
                boolean didStep = random.nextBoolean() && step(name);
                isMoving = didStep || progress(name);
                if (!isMoving) {
                    didStep = step(name);
                    isMoving = didStep;
                }
                steps += didStep ? 1 : 0;
                assertThat(steps).as("steps").isLessThanOrEqualTo(STEPS_MAX);
            }
            QueuePlacement queue = scene.queue(name);
            if (queue.leader() != null) {
                reached(name, queue);
            }
        }

        private void reached(String name, QueuePlacement queue) {
            Set<NodeName> live =
                    queue.nodes().stream().filter(scene.image::isLive).collect(Collectors.toSet());
            assertThat(queue.inSync()).containsExactlyInAnyOrderElementsOf(live);
            // What may hold lost messages stays; and so does a copy on a witness while others are away.
            boolean isFree = queue.abandoned().isEmpty()
                    && (live.size() == queue.nodes().size() || holders().containsAll(live));
            MirroringPolicy policy = scene.mirroring(name);
            if (policy == null) {
                assertThat(queue.nodes().size() == 1 || !isFree).isTrue();
                return;
            }
            Set<NodeName> holders = holders();
            switch (policy.mode()) {
                case ALL -> assertThat(queue.nodes()).containsAll(holders);
                case EXACTLY -> {
                    int possible = Math.max(1, Math.min(policy.count(), holders.size()));
                    if (policy.isLostReplaced()) {
                        assertThat(live.size() == possible || (!isFree && live.size() > possible))
                                .isTrue();
                        assertThat(queue.nodes().size() == possible || possible < policy.count() || !isFree)
                                .isTrue();
                    } else {
                        assertThat(queue.nodes().size()).isGreaterThanOrEqualTo(possible);
                        assertThat(live.size() <= policy.count() || !isFree).isTrue();
                    }
                }
                case NODES -> {
                    Set<NodeName> listed =
                            policy.nodes().stream().filter(holders::contains).collect(Collectors.toSet());
                    if (!listed.isEmpty()) {
                        assertThat(queue.leader()).isIn(listed);
                        assertThat(live).containsAll(listed);
                        assertThat(live.equals(listed) || !isFree).isTrue();
                    }
                }
            }
            leaderServes(queue);
        }

        /** A draining node leads only what no other may lead. */
        private void leaderServes(QueuePlacement queue) {
            NodeName leader = Objects.requireNonNull(queue.leader());
            if (Objects.requireNonNull(scene.image.node(leader)).isDraining()
                    && queue.abandoned().isEmpty()) {
                assertThat(queue.inSync()).allMatch(each -> {
                    ClusterNode node = Objects.requireNonNull(scene.image.node(each));
                    return node.isDraining() || node.isWitness();
                });
            }
        }

        private void loadsAreCounted() {
            Map<NodeName, NodeLoad> counted = new HashMap<>();
            for (QueuePlacement queue : scene.image.placements().values()) {
                for (NodeName each : queue.nodes()) {
                    counted.merge(
                            each,
                            new NodeLoad(queue.isLedBy(each) ? 1 : 0, 1),
                            (a, b) -> new NodeLoad(a.leaders() + b.leaders(), a.replicas() + b.replicas()));
                }
            }
            for (NodeName each : scene.image.nodes().keySet()) {
                assertThat(scene.image.load(each)).isEqualTo(counted.getOrDefault(each, NodeLoad.NONE));
            }
        }

        private void policy() {
            Map<String, Object> keys = new HashMap<>();
            switch (random.nextInt(5)) {
                case 0 -> {
                    say("no policy");
                    scene.noPolicy();
                    return;
                }
                case 1 -> keys.putAll(Scene.all());
                case 2, 3 -> {
                    keys.putAll(Scene.exactly(1 + random.nextInt(NODES.length() + 1)));
                    keys.put("ha-replace-lost", random.nextInt(3) > 0);
                }
                default -> keys.putAll(Scene.listed(someNodes() + (random.nextInt(3) == 0 ? "X" : "")));
            }
            say("policy " + keys);
            scene.policy(keys);
        }

        private String someNodes() {
            List<String> letters = new ArrayList<>(List.of(NODES.split("")));
            Collections.shuffle(letters, random);
            return String.join("", letters.subList(0, 1 + random.nextInt(letters.size())));
        }

        private String one(String letters) {
            return String.valueOf(letters.charAt(random.nextInt(letters.length())));
        }

        private void say(String what) {
            trace.add(what);
        }
    }
}
