package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.ApplyTo;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.broker.definitions.QueueOwner;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** A metadata log that a test writes entry by entry. Nodes are single letters; each has one data directory unless wiped. */
final class Scenario {
    static final VhostName V = new VhostName("v");

    ClusterImage image = ClusterImage.EMPTY;
    ClusterDelta delta = ClusterDelta.NONE;
    private long index;

    Scenario() {
        apply(new ClusterCommand.Define(new DefinitionChange.PutVhost(new VhostDefinition(V, "", List.of()))));
    }

    static NodeName n(String name) {
        return new NodeName(name);
    }

    static QueueName q(String name) {
        return new QueueName(V, name);
    }

    Outcome apply(ClusterCommand command) {
        ClusterImage.Applied applied = image.apply(++index, command);
        image = applied.image();
        delta = applied.delta();
        return applied.outcome();
    }

    Outcome up(String node, long boot) {
        return up(node, boot, 0, Set.of());
    }

    Outcome up(String node, long boot, int store, Set<Long> damaged) {
        return apply(new ClusterCommand.NodeUp(n(node), boot, new UUID(node.charAt(0), store), false, damaged));
    }

    Outcome down(String node, long boot) {
        return apply(new ClusterCommand.NodeDown(n(node), boot));
    }

    Outcome leave(String node, long boot) {
        return apply(new ClusterCommand.NodeLeaving(n(node), boot));
    }

    void policy(Map<String, Object> keys) {
        apply(new ClusterCommand.Define(
                new DefinitionChange.PutPolicy(new PolicyDefinition(V, "p", ".*", ApplyTo.QUEUES, 0, keys))));
    }

    Outcome declare(String queue, boolean isDurable, String... nodes) {
        return apply(new ClusterCommand.Declare(
                new DefinitionChange.DeclareQueue(
                        new QueueDefinition(q(queue), isDurable, false, false, Map.of()), null),
                Arrays.stream(nodes).map(Scenario::n).toList()));
    }

    Outcome declareExclusive(String queue, String node, long boot) {
        return apply(new ClusterCommand.Declare(
                new DefinitionChange.DeclareQueue(
                        new QueueDefinition(q(queue), false, true, false, Map.of()), new QueueOwner(n(node), boot, 1)),
                List.of(n(node))));
    }

    QueuePlacement queue(String name) {
        return Objects.requireNonNull(image.placement(q(name)), () -> "no queue " + name);
    }

    Outcome open(String name) {
        QueuePlacement queue = queue(name);
        return apply(
                new ClusterCommand.Open(List.of(new ClusterCommand.Open.Step(queue.incarnation(), queue.epoch()))));
    }

    /** A join with what is recorded now. */
    ClusterCommand.Join.Step joinStep(String name, String node) {
        QueuePlacement queue = queue(name);
        return new ClusterCommand.Join.Step(
                queue.incarnation(),
                n(node),
                queue.epoch(),
                queue.version(),
                Objects.requireNonNull(image.node(n(node))).boot(),
                Objects.requireNonNull(queue.replica(n(node))).generation());
    }

    Outcome join(String name, String node) {
        return apply(new ClusterCommand.Join(List.of(joinStep(name, node))));
    }

    Outcome shrink(String name, String node) {
        QueuePlacement queue = queue(name);
        return apply(new ClusterCommand.Shrink(
                List.of(new ClusterCommand.Shrink.Step(queue.incarnation(), n(node), queue.epoch()))));
    }

    Outcome move(String name, String to) {
        QueuePlacement queue = queue(name);
        return apply(new ClusterCommand.Move(
                List.of(new ClusterCommand.Move.Step(queue.incarnation(), n(to), queue.epoch(), queue.version()))));
    }

    Outcome merged(String name, String node) {
        QueuePlacement queue = queue(name);
        return apply(new ClusterCommand.MergeDone(List.of(
                new ClusterCommand.MergeDone.Step(queue.incarnation(), n(node), queue.epoch(), queue.version()))));
    }

    Outcome add(String name, String node) {
        QueuePlacement queue = queue(name);
        return apply(new ClusterCommand.AddReplica(
                List.of(new ClusterCommand.AddReplica.Step(queue.incarnation(), n(node), queue.version()))));
    }

    Outcome remove(String name, String node, boolean isForced) {
        QueuePlacement queue = queue(name);
        return apply(new ClusterCommand.RemoveReplica(List.of(
                new ClusterCommand.RemoveReplica.Step(queue.incarnation(), n(node), queue.version(), isForced))));
    }

    /** "leader | replicas | inSync | holders | abandoned", and "open" once the leader may commit. */
    String shape(String name) {
        QueuePlacement queue = queue(name);
        return (queue.leader() == null ? "-" : queue.leader().value()) + " | " + names(queue.nodes()) + " | "
                + names(queue.inSync()) + " | " + names(queue.holders()) + " | " + names(queue.abandoned())
                + (queue.isOpened() ? " open" : "");
    }

    private static String names(List<NodeName> nodes) {
        return nodes.stream().map(NodeName::value).collect(Collectors.joining());
    }
}
