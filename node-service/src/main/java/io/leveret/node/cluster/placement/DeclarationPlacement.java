package io.leveret.node.cluster.placement;

import io.leveret.model.NodeName;
import io.leveret.model.definition.PolicyKeys;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.EffectivePolicy;
import io.leveret.node.broker.definitions.MirroringPolicy;
import io.leveret.node.broker.definitions.PolicyMatchers;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.metadata.ReplicaChoice;
import io.leveret.node.runtime.Randomness;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a new queue is created. The leader: an exclusive queue's is the node of its connection; else the locator of the
 * argument, of the policy, or the usual one (client-local) says; with {@code nodes} it is a listed node if one is live. The
 * mirrors: as {@link MirrorPlacement} would add them, all at once, for all are empty. Depends on its arguments and on chance
 * alone, and not on the number of queues. Any thread.
 */
public final class DeclarationPlacement implements ReplicaChoice {
    static final String LOCATOR_ARGUMENT = "x-queue-master-locator";

    private final Randomness chance;
    private final PolicyMatchers matchers = new PolicyMatchers();

    /** @param chance for the locator {@code random} */
    public DeclarationPlacement(Randomness chance) {
        this.chance = chance;
    }

    @Override
    public List<NodeName> choose(ClusterImage image, DefinitionChange.DeclareQueue change, NodeName clientNode) {
        QueueDefinition queue = change.queue();
        if (queue.isExclusive()) {
            return List.of(clientNode);
        }
        QueuePlacement existing = image.placement(queue.name());
        if (existing != null) {
            return existing.nodes(); // declared again: nothing will be placed
        }
        return choose(new PlannedLoads(image), queue, matchers.forQueue(image.definitions(), queue), clientNode);
    }

    private List<NodeName> choose(
            PlannedLoads loads, QueueDefinition queue, EffectivePolicy policy, NodeName clientNode) {
        MirroringPolicy mirroring = policy.mirroring();
        List<NodeName> listed = mirroring == null
                ? List.of()
                : mirroring.nodes().stream().filter(loads::canHold).toList();
        NodeName leader = leader(loads, locator(queue, policy), listed, clientNode);
        if (mirroring == null) {
            return List.of(leader);
        }
        Stream<NodeName> mirrors = switch (mirroring.mode()) {
            case ALL -> loads.holders().stream();
            case EXACTLY ->
                loads.holders().stream()
                        .filter(each -> !each.equals(leader))
                        .sorted(loads.byReplicas())
                        .limit(mirroring.count() - 1L);
            case NODES -> listed.stream();
        };
        Set<NodeName> nodes = new LinkedHashSet<>();
        nodes.add(leader);
        mirrors.forEach(nodes::add);
        return List.copyOf(nodes);
    }

    /** @param listed live nodes of a {@code nodes} policy, or empty */
    private NodeName leader(PlannedLoads loads, @Nullable String locator, List<NodeName> listed, NodeName clientNode) {
        List<NodeName> among = serving(loads, listed.isEmpty() ? loads.holders() : listed);
        if (among.isEmpty()) {
            return clientNode;
        }
        if ("random".equals(locator)) {
            return among.get((int) chance.below(among.size()));
        }
        if ("min-masters".equals(locator)) {
            return fewestLeaders(loads, among);
        }
        if (!listed.isEmpty()) {
            return listed.contains(clientNode) ? clientNode : among.get(0);
        }
        return loads.canHold(clientNode) ? clientNode : fewestLeaders(loads, among);
    }

    /** Those that are not in maintenance, or all when all are. */
    private static List<NodeName> serving(PlannedLoads loads, List<NodeName> nodes) {
        List<NodeName> serving =
                nodes.stream().filter(each -> !loads.isDraining(each)).toList();
        return serving.isEmpty() ? nodes : serving;
    }

    private static NodeName fewestLeaders(PlannedLoads loads, List<NodeName> nodes) {
        return nodes.stream()
                .min(Comparator.comparingInt(loads::leaders).thenComparing(Comparator.naturalOrder()))
                .orElseThrow();
    }

    private static @Nullable String locator(QueueDefinition queue, EffectivePolicy policy) {
        return queue.arguments().get(LOCATOR_ARGUMENT) instanceof String own
                ? own
                : policy.text(PolicyKeys.QUEUE_MASTER_LOCATOR);
    }
}
