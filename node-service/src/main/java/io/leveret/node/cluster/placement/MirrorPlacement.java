package io.leveret.node.cluster.placement;

import io.leveret.model.NodeName;
import io.leveret.node.broker.definitions.MirroringPolicy;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.metadata.Replica;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a queue should be, and the next safe step on the way there. Pure: it looks at the agreed facts and at the policy, and
 * remembers nothing, so whatever happened meanwhile is simply another set of facts. What is wanted of an existing queue:
 *
 * <ul>
 *   <li>no mirroring: the leader where it is, no mirrors;
 *   <li>{@code all}: every live node; the replica of a node that is down stays, and catches up when it is back;
 *   <li>{@code exactly n}: the leader, then the oldest mirrors that are in sync, then the oldest others; when these are too few,
 *       live nodes with the fewest replicas. A mirror that is down does not count (with {@code ha-replace-lost: false} it does),
 *       and stays until as many as wanted are in sync;
 *   <li>{@code nodes}: the listed nodes that are live. While none is, but one may come back, all stays as it is; when none is
 *       known at all, the leader alone.
 * </ul>
 *
 * The order of steps: add what is missing; remove what is surplus, an in-sync copy only while more than wanted are in sync;
 * move the leader from where it is not wanted, or from a draining node, to a wanted in-sync mirror. While nobody leads, or the
 * leader may not commit yet, nothing is done: an added empty replica must never be the only one left to promote.
 */
public final class MirrorPlacement {
    private MirrorPlacement() {}

    /**
     * What a policy asks for, given the facts.
     *
     * @param nodes live nodes that should hold the queue, the preferred leader first
     * @param awaited nodes that are down and whose replica stays
     * @param copies so many in sync make a surplus one superfluous
     */
    record Wish(List<NodeName> nodes, Set<NodeName> awaited, int copies) {
        boolean wants(NodeName node) {
            return nodes.contains(node);
        }
    }

    /** The next step of a queue, or null when there is none: all is as wanted, or a mirror must come into sync first. */
    public static @Nullable PlacementStep next(
            PlannedLoads loads, QueuePlacement queue, @Nullable MirroringPolicy policy) {
        NodeName leader = queue.leader();
        if (leader == null || !queue.isOpened()) {
            return null;
        }
        Wish wish = wish(loads, queue, leader, policy);
        for (NodeName node : wish.nodes()) {
            if (queue.replica(node) == null) {
                return new PlacementStep.Add(node);
            }
        }
        NodeName surplus = surplus(loads, queue, wish);
        if (surplus != null) {
            return new PlacementStep.Remove(surplus);
        }
        NodeName next = betterLeader(
                loads,
                leader,
                wish,
                wish.nodes().stream().filter(queue::isInSync).toList());
        return next == null ? null : new PlacementStep.Lead(next);
    }

    /** Where the queue will be once all mirrors that are made for it are in sync: the leader first, nodes that are down last. */
    public static List<NodeName> target(PlannedLoads loads, QueuePlacement queue, @Nullable MirroringPolicy policy) {
        NodeName leader = queue.leader();
        if (leader == null) {
            return queue.nodes();
        }
        Wish wish = wish(loads, queue, leader, policy);
        NodeName next = betterLeader(loads, leader, wish, wish.nodes());
        Set<NodeName> nodes = new LinkedHashSet<>();
        nodes.add(next == null ? leader : next);
        nodes.addAll(wish.nodes());
        nodes.addAll(wish.awaited());
        return List.copyOf(nodes);
    }

    static Wish wish(PlannedLoads loads, QueuePlacement queue, NodeName leader, @Nullable MirroringPolicy policy) {
        if (policy == null) {
            return alone(loads, queue, leader);
        }
        return switch (policy.mode()) {
            case ALL -> all(loads, queue);
            case EXACTLY -> exactly(loads, queue, policy);
            case NODES -> listed(loads, queue, leader, policy.nodes());
        };
    }

    private static Wish alone(PlannedLoads loads, QueuePlacement queue, NodeName leader) {
        // A leader on what is a witness by now makes room if somebody can take over.
        NodeName only = loads.canHold(leader)
                ? leader
                : queue.inSync().stream().filter(loads::canHold).findFirst().orElse(leader);
        return new Wish(List.of(only), Set.of(), 1);
    }

    private static Wish all(PlannedLoads loads, QueuePlacement queue) {
        List<NodeName> nodes = Stream.concat(queue.nodes().stream(), loads.holders().stream())
                .filter(loads::canHold)
                .distinct()
                .toList();
        return new Wish(nodes, Set.copyOf(down(loads, queue)), nodes.size());
    }

    private static Wish exactly(PlannedLoads loads, QueuePlacement queue, MirroringPolicy policy) {
        int count = policy.count();
        Comparator<Replica> byUse = Comparator.comparing((Replica each) -> !queue.isLedBy(each.node()))
                .thenComparing(each -> !each.isInSync());
        List<NodeName> nodes = new ArrayList<>(queue.replicas().stream()
                .filter(each -> loads.canHold(each.node()))
                .sorted(byUse) // stable: the oldest first among equals
                .map(Replica::node)
                .limit(count)
                .toList());
        List<NodeName> down = down(loads, queue);
        int missing = count - nodes.size() - (policy.isLostReplaced() ? 0 : down.size());
        loads.holders().stream()
                .filter(each -> queue.replica(each) == null)
                .sorted(loads.byReplicas())
                .limit(Math.max(0, missing))
                .forEach(nodes::add);
        Set<NodeName> awaited =
                new LinkedHashSet<>(down.subList(0, Math.max(0, Math.min(down.size(), count - nodes.size()))));
        return new Wish(nodes, awaited, count);
    }

    private static Wish listed(PlannedLoads loads, QueuePlacement queue, NodeName leader, List<NodeName> listed) {
        List<NodeName> nodes = listed.stream().filter(loads::canHold).toList();
        List<NodeName> down = down(loads, queue);
        if (nodes.isEmpty()) {
            return listed.stream().noneMatch(loads::isHolderKnown)
                    ? alone(loads, queue, leader)
                    : new Wish(
                            queue.nodes().stream().filter(loads::canHold).toList(),
                            Set.copyOf(down),
                            Integer.MAX_VALUE);
        }
        down.retainAll(listed);
        return new Wish(nodes, Set.copyOf(down), nodes.size());
    }

    /** Nodes of the queue that are down and may come back with their replica, the oldest first. */
    private static List<NodeName> down(PlannedLoads loads, QueuePlacement queue) {
        List<NodeName> down = new ArrayList<>(queue.nodes());
        down.removeIf(each -> loads.canHold(each) || !loads.isHolderKnown(each));
        return down;
    }

    /** The youngest replica that may go now, or null. All that is wanted is there, in sync or not. */
    private static @Nullable NodeName surplus(PlannedLoads loads, QueuePlacement queue, Wish wish) {
        if (!queue.abandoned().isEmpty()) {
            return null;
        }
        long inSync = queue.inSync().stream().filter(loads::canHold).count();
        long wantedInSync = wish.nodes().stream().filter(queue::isInSync).count();
        List<Replica> replicas = queue.replicas();
        for (int i = replicas.size() - 1; i >= 0; i--) {
            NodeName node = replicas.get(i).node();
            if (wish.wants(node) || queue.isLedBy(node) || wish.awaited().contains(node)) {
                continue;
            }
            boolean isSuperfluous;
            if (!loads.isHolderKnown(node)) {
                // A witness by now: it will not count again, and all others that there are may be fewer than wanted.
                int possible = wish.nodes().size() + wish.awaited().size();
                isSuperfluous = wantedInSync >= Math.min(wish.copies(), possible);
            } else if (!loads.canHold(node)) {
                isSuperfluous = wantedInSync >= wish.copies();
            } else {
                isSuperfluous = !replicas.get(i).isInSync() || inSync > wish.copies();
            }
            if (isSuperfluous) {
                return node;
            }
        }
        return null;
    }

    /** Who should lead instead, of those who can; null: nobody. */
    private static @Nullable NodeName betterLeader(
            PlannedLoads loads, NodeName leader, Wish wish, List<NodeName> able) {
        boolean isWanted = wish.wants(leader);
        if (isWanted && !loads.isDraining(leader)) {
            return null;
        }
        Stream<NodeName> fit = able.stream().filter(each -> !each.equals(leader) && !loads.isDraining(each));
        if (isWanted) {
            // A node is emptied: its queues spread over the others.
            return fit.min(Comparator.comparingInt(loads::leaders)).orElse(null);
        }
        return fit.findFirst().or(() -> able.stream().findFirst()).orElse(null);
    }
}
