package io.leveret.node.cluster.placement;

import io.leveret.model.NodeName;
import io.leveret.node.broker.definitions.MirroringPolicy;
import io.leveret.node.cluster.metadata.ClusterCommand.Move;
import io.leveret.node.cluster.metadata.QueuePlacement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Spreads the leaders of mirrored queues evenly, by moves alone: only to nodes that hold an in-sync replica and are meant to keep
 * it, so that no copy is made, dropped or missed. Queues that nothing can be done for stay where they are. Pure.
 */
public final class Rebalance {
    private Rebalance() {}

    /**
     * The moves to make, at most one per queue.
     *
     * @param queues those to spread; of these the mirrored ones are counted and moved
     * @param policies what the ha-* keys ask for a queue; null: nothing
     */
    public static List<Move.Step> plan(
            PlannedLoads loads,
            Collection<QueuePlacement> queues,
            Function<QueuePlacement, @Nullable MirroringPolicy> policies) {
        Map<NodeName, Integer> led = new HashMap<>();
        Map<QueuePlacement, List<NodeName>> open = new HashMap<>();
        Set<QueuePlacement> left = new LinkedHashSet<>();
        for (QueuePlacement queue : queues) {
            NodeName leader = queue.leader();
            MirroringPolicy policy = policies.apply(queue);
            if (leader != null && queue.isOpened() && policy != null) {
                led.merge(leader, 1, Integer::sum);
                List<NodeName> able = able(loads, queue, leader, policy);
                if (!able.isEmpty()) {
                    open.put(queue, able);
                    left.add(queue);
                }
            }
        }
        List<Move.Step> moves = new ArrayList<>();
        boolean isMoving = true;
        while (isMoving) {
            // Every round moves a queue for good or is the last.
            List<QueuePlacement> moved = new ArrayList<>();
            for (QueuePlacement queue : left) {
                NodeName from = queue.leader();
                NodeName to = emptiest(led, open.get(queue)).orElse(null);
                if (from != null && to != null && count(led, from) - count(led, to) >= 2) {
                    led.merge(from, -1, Integer::sum);
                    led.merge(to, 1, Integer::sum);
                    moves.add(new PlacementStep.Lead(to).of(queue));
                    moved.add(queue);
                }
            }
            left.removeAll(moved);
            isMoving = !moved.isEmpty();
        }
        return moves;
    }

    private static List<NodeName> able(
            PlannedLoads loads, QueuePlacement queue, NodeName leader, MirroringPolicy policy) {
        return MirrorPlacement.wish(loads, queue, leader, policy).nodes().stream()
                .filter(each -> !each.equals(leader) && queue.isInSync(each) && !loads.isDraining(each))
                .toList();
    }

    private static Optional<NodeName> emptiest(Map<NodeName, Integer> led, @Nullable List<NodeName> nodes) {
        return nodes == null
                ? Optional.empty()
                : nodes.stream()
                        .min(Comparator.<NodeName>comparingInt(each -> count(led, each))
                                .thenComparing(Comparator.naturalOrder()));
    }

    private static int count(Map<NodeName, Integer> led, NodeName node) {
        return led.getOrDefault(node, 0);
    }
}
