package io.leveret.node.cluster.metadata;

import static io.leveret.node.cluster.metadata.Scenario.n;
import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.NodeName;
import io.leveret.model.definition.ApplyTo;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.QueueOwner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** Commands that mostly fit the image they are made for, and what must hold after any of them. */
final class RandomCommands {
    private static final List<String> NODES = List.of("a", "b", "c", "d");

    private RandomCommands() {}

    static ClusterCommand next(Random random, ClusterImage image) {
        if (image.definitions().vhosts().isEmpty()) {
            return new ClusterCommand.Define(
                    new DefinitionChange.PutVhost(new VhostDefinition(Scenario.V, "", List.of())));
        }
        List<QueuePlacement> queues = new ArrayList<>(image.placements().values());
        if (queues.isEmpty() || random.nextInt(3) == 0) {
            return cluster(random, image);
        }
        return queue(random, image, queues.get(random.nextInt(queues.size())));
    }

    private static ClusterCommand cluster(Random random, ClusterImage image) {
        NodeName node = n(NODES.get(random.nextInt(NODES.size())));
        ClusterNode known = image.node(node);
        long boot = known == null ? 1 : known.boot();
        UUID store = known == null || random.nextInt(20) == 0 ? new UUID(random.nextLong(), 1) : known.storeId();
        return switch (random.nextInt(8)) {
            case 0, 1 ->
                new ClusterCommand.NodeUp(node, boot + random.nextInt(2), store, false, damaged(random, image));
            case 2 -> new ClusterCommand.NodeDown(node, boot);
            case 3 -> new ClusterCommand.NodeLeaving(node, boot);
            case 4 ->
                random.nextInt(20) == 0
                        ? new ClusterCommand.ForgetNode(node)
                        : new ClusterCommand.NodeUp(node, boot + 1, store, false, Set.of());
            case 5 ->
                new ClusterCommand.Define(new DefinitionChange.PutPolicy(new PolicyDefinition(
                        Scenario.V,
                        "p",
                        ".*",
                        ApplyTo.ALL,
                        0,
                        Map.of(
                                "ha-mode", "all",
                                "ha-promote-on-failure", random.nextBoolean() ? "always" : "when-synced",
                                "ha-promote-on-shutdown", random.nextBoolean() ? "always" : "when-synced"))));
            default -> declare(random, node, boot);
        };
    }

    private static Set<Long> damaged(Random random, ClusterImage image) {
        return image.placements().isEmpty() || random.nextInt(10) != 0
                ? Set.of()
                : Set.of(image.placements().values().iterator().next().incarnation());
    }

    private static ClusterCommand declare(Random random, NodeName node, long boot) {
        boolean isExclusive = random.nextInt(5) == 0;
        List<NodeName> nodes = new ArrayList<>(NODES.stream().map(Scenario::n).toList());
        Collections.shuffle(nodes, random);
        QueueDefinition queue = new QueueDefinition(
                Scenario.q("q" + random.nextInt(6)), random.nextBoolean(), isExclusive, false, Map.of());
        QueueOwner owner = isExclusive ? new QueueOwner(node, boot, 1) : null;
        return new ClusterCommand.Declare(
                new DefinitionChange.DeclareQueue(queue, owner), nodes.subList(0, 1 + random.nextInt(4)));
    }

    private static ClusterCommand queue(Random random, ClusterImage image, QueuePlacement queue) {
        NodeName node = n(NODES.get(random.nextInt(NODES.size())));
        long id = queue.incarnation();
        long version = queue.version() - (random.nextInt(10) == 0 ? 1 : 0);
        ClusterNode known = image.node(node);
        Replica replica = queue.replica(node);
        return switch (random.nextInt(10)) {
            case 0, 1 -> new ClusterCommand.Open(List.of(new ClusterCommand.Open.Step(id, queue.epoch())));
            case 2, 3 ->
                new ClusterCommand.Join(List.of(new ClusterCommand.Join.Step(
                        id,
                        node,
                        queue.epoch(),
                        version,
                        known == null ? 1 : known.boot(),
                        replica == null ? 1 : replica.generation())));
            case 4 -> new ClusterCommand.Shrink(List.of(new ClusterCommand.Shrink.Step(id, node, queue.epoch())));
            case 5 -> new ClusterCommand.Move(List.of(new ClusterCommand.Move.Step(id, node, queue.epoch(), version)));
            case 6 ->
                new ClusterCommand.MergeDone(
                        List.of(new ClusterCommand.MergeDone.Step(id, node, queue.epoch(), version)));
            case 7 -> new ClusterCommand.AddReplica(List.of(new ClusterCommand.AddReplica.Step(id, node, version)));
            case 8 ->
                new ClusterCommand.RemoveReplica(
                        List.of(new ClusterCommand.RemoveReplica.Step(id, node, version, random.nextInt(10) == 0)));
            default ->
                switch (random.nextInt(5)) {
                    case 0 -> new ClusterCommand.Delete(List.of(id));
                    case 1 -> new ClusterCommand.Expire(List.of(new ClusterCommand.Expire.Step(id, queue.epoch())));
                    default -> new ClusterCommand.ForceLeader(id);
                };
        };
    }

    static void check(ClusterImage before, ClusterImage after, String where) {
        assertThat(after.placements().keySet())
                .as(where)
                .isEqualTo(new java.util.TreeSet<>(after.definitions().queues(Scenario.V).values().stream()
                        .map(QueueDefinition::name)
                        .toList()));
        for (QueuePlacement queue : after.placements().values()) {
            assertThat(queue.holders()).as(where).containsAll(queue.inSync());
            assertThat(queue.replicas()).as(where).isNotEmpty();
            NodeName leader = queue.leader();
            if (leader != null) {
                assertThat(queue.inSync()).as(where).contains(leader);
                assertThat(queue.isAbandoned(leader)).as(where).isFalse();
                assertThat(queue.inSync()).as(where).allMatch(after::isLive);
            } else {
                assertThat(queue.isOpened()).as(where).isFalse();
                assertThat(after.definitions().queue(queue.queue()).isDurable())
                        .as(where)
                        .isTrue();
            }
            QueuePlacement earlier = before.placement(queue.incarnation());
            if (earlier != null && !earlier.equals(queue)) {
                assertThat(queue.version()).as(where).isGreaterThan(earlier.version());
                boolean isSameLeader = java.util.Objects.equals(leader, earlier.leader());
                assertThat(queue.epoch()).as(where).isGreaterThanOrEqualTo(earlier.epoch());
                assertThat(isSameLeader || queue.epoch() > earlier.epoch())
                        .as(where)
                        .isTrue();
            }
        }
    }
}
