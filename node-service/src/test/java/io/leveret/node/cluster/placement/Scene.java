package io.leveret.node.cluster.placement;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.ApplyTo;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.MirroringPolicy;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.broker.definitions.PolicyMatchers;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.ClusterDelta;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.ClusterNode;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.metadata.Replica;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A cluster on paper: nodes are single letters, metadata is written entry by entry. */
final class Scene {
    static final VhostName V = new VhostName("v");

    ClusterImage image = ClusterImage.EMPTY;
    /** What the newest entry did. */
    ClusterDelta delta = ClusterDelta.NONE;

    private final PolicyMatchers matchers = new PolicyMatchers();
    private long index;

    /** Nodes that are up. */
    Scene(String nodes) {
        apply(new ClusterCommand.Define(new DefinitionChange.PutVhost(new VhostDefinition(V, "", List.of()))));
        nodes(nodes).forEach(each -> up(each.value()));
    }

    static NodeName n(String name) {
        return new NodeName(name);
    }

    static List<NodeName> nodes(String letters) {
        return letters.chars().mapToObj(each -> n(String.valueOf((char) each))).toList();
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

    /** The node starts, for the first time or again. */
    void up(String node) {
        up(node, false);
    }

    void up(String node, boolean isWitness) {
        ClusterNode known = image.node(n(node));
        apply(new ClusterCommand.NodeUp(
                n(node), known == null ? 1 : known.boot() + 1, new UUID(node.charAt(0), 0), isWitness, Set.of()));
    }

    void down(String node) {
        apply(new ClusterCommand.NodeDown(n(node), boot(node)));
    }

    void leave(String node) {
        apply(new ClusterCommand.NodeLeaving(n(node), boot(node)));
    }

    void drain(String node, boolean isDraining) {
        apply(new ClusterCommand.SetDraining(n(node), isDraining));
    }

    long boot(String node) {
        return Objects.requireNonNull(image.node(n(node))).boot();
    }

    /** Replaces the policy of all queues. */
    void policy(Map<String, Object> keys) {
        apply(new ClusterCommand.Define(
                new DefinitionChange.PutPolicy(new PolicyDefinition(V, "p", ".*", ApplyTo.QUEUES, 0, keys))));
    }

    void noPolicy() {
        apply(new ClusterCommand.Define(new DefinitionChange.DeletePolicy(V, "p")));
    }

    /** The leader first. All are in sync. */
    void declare(String queue, String nodes) {
        apply(new ClusterCommand.Declare(declaration(queue, Map.of()), nodes(nodes)));
    }

    static DefinitionChange.DeclareQueue declaration(String queue, Map<String, Object> arguments) {
        return new DefinitionChange.DeclareQueue(new QueueDefinition(q(queue), true, false, false, arguments), null);
    }

    QueuePlacement queue(String name) {
        return Objects.requireNonNull(image.placement(q(name)), () -> "no queue " + name);
    }

    void open(String name) {
        QueuePlacement queue = queue(name);
        apply(new ClusterCommand.Open(List.of(new ClusterCommand.Open.Step(queue.incarnation(), queue.epoch()))));
    }

    void join(String name, String node) {
        QueuePlacement queue = queue(name);
        apply(new ClusterCommand.Join(List.of(new ClusterCommand.Join.Step(
                queue.incarnation(),
                n(node),
                queue.epoch(),
                queue.version(),
                boot(node),
                Objects.requireNonNull(queue.replica(n(node))).generation()))));
    }

    void shrink(String name, String node) {
        QueuePlacement queue = queue(name);
        apply(new ClusterCommand.Shrink(
                List.of(new ClusterCommand.Shrink.Step(queue.incarnation(), n(node), queue.epoch()))));
    }

    void merged(String name, String node) {
        QueuePlacement queue = queue(name);
        apply(new ClusterCommand.MergeDone(List.of(
                new ClusterCommand.MergeDone.Step(queue.incarnation(), n(node), queue.epoch(), queue.version()))));
    }

    @Nullable
    MirroringPolicy mirroring(String name) {
        return matchers.forQueue(
                        image.definitions(),
                        Objects.requireNonNull(image.definitions().queue(q(name))))
                .mirroring();
    }

    @Nullable
    PlacementStep next(String name) {
        return MirrorPlacement.next(new PlannedLoads(image), queue(name), mirroring(name));
    }

    String target(String name) {
        return letters(MirrorPlacement.target(new PlannedLoads(image), queue(name), mirroring(name)));
    }

    Outcome take(String name, PlacementStep step) {
        QueuePlacement queue = queue(name);
        if (step instanceof PlacementStep.Add add) {
            return apply(new ClusterCommand.AddReplica(List.of(add.of(queue))));
        }
        if (step instanceof PlacementStep.Remove remove) {
            return apply(new ClusterCommand.RemoveReplica(List.of(remove.of(queue))));
        }
        return apply(new ClusterCommand.Move(List.of(((PlacementStep.Lead) step).of(queue))));
    }

    /** Takes steps until there is none; a new leader opens at once. @return the steps, as "+A -B >C" */
    String settle(String name) {
        List<String> steps = new ArrayList<>();
        for (PlacementStep step = next(name); step != null; step = next(name)) {
            Outcome outcome = take(name, step);
            if (outcome.isRefused() || steps.size() > 20) {
                throw new AssertionError(steps + " then " + step + ": " + outcome);
            }
            steps.add(text(step));
            if (step instanceof PlacementStep.Lead) {
                open(name);
            }
        }
        return String.join(" ", steps);
    }

    static String text(@Nullable PlacementStep step) {
        if (step instanceof PlacementStep.Add add) {
            return "+" + add.node();
        }
        if (step instanceof PlacementStep.Remove remove) {
            return "-" + remove.node();
        }
        return step instanceof PlacementStep.Lead lead ? ">" + lead.node() : "";
    }

    /** The replicas, the oldest first: the leader with a star, those in sync in capitals. */
    String shape(String name) {
        QueuePlacement queue = queue(name);
        return queue.replicas().stream()
                .map(each -> mark(each) + (queue.isLedBy(each.node()) ? "*" : ""))
                .collect(Collectors.joining());
    }

    private static String mark(Replica replica) {
        String letter = replica.node().value();
        return replica.isInSync() ? letter.toUpperCase() : letter.toLowerCase();
    }

    static String letters(List<NodeName> nodes) {
        return nodes.stream().map(NodeName::value).collect(Collectors.joining());
    }

    static Map<String, Object> all() {
        return Map.of("ha-mode", "all");
    }

    static Map<String, Object> exactly(long count) {
        return Map.of("ha-mode", "exactly", "ha-params", count);
    }

    static Map<String, Object> listed(String letters) {
        return listed(Arrays.asList(letters.split("")));
    }

    static Map<String, Object> listed(List<String> names) {
        return Map.of("ha-mode", "nodes", "ha-params", names);
    }
}
