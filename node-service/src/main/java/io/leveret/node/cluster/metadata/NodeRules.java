package io.leveret.node.cluster.metadata;

import static io.leveret.node.cluster.metadata.CommandRules.stale;

import io.leveret.model.ExchangeName;
import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.broker.definitions.Outcome.RefusalKind;
import io.leveret.node.cluster.metadata.ClusterCommand.ForgetNode;
import io.leveret.node.cluster.metadata.ClusterCommand.NodeUp;
import io.leveret.node.cluster.metadata.ClusterCommand.SetDraining;
import io.leveret.node.cluster.metadata.PlacementEdit.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules of commands about nodes: what their coming and going does to all queues, in one apply. */
final class NodeRules {
    private NodeRules() {}

    static Outcome up(ClusterEdit edit, NodeUp command) {
        ClusterNode known = edit.nodes.get(command.node());
        boolean isNewBoot = known == null || command.boot() > known.boot();
        boolean isReturn = known != null && command.boot() == known.boot() && !known.isLive();
        if (known != null && !isNewBoot && !isReturn) {
            return stale("boot " + known.boot() + " of " + known.name() + " is recorded");
        }
        if (known == null) {
            edit.lastNumber++;
        }
        edit.put(new ClusterNode(
                command.node(),
                known == null ? edit.lastNumber : known.number(),
                command.storeId(),
                command.boot(),
                true,
                known != null && known.isDraining(),
                command.isWitness(),
                isNewBoot || known == null ? edit.index : known.upSince()));
        boolean isNewStore = known != null && !known.storeId().equals(command.storeId());
        List<QueueName> lost = new ArrayList<>();
        for (QueuePlacement placement : edit.placements.values()) {
            if (placement.replica(command.node()) != null) {
                PlacementEdit queue = new PlacementEdit(edit, placement);
                if (isNewStore || command.damaged().contains(placement.incarnation())) {
                    queue.wipe(command.node());
                }
                if (isNewBoot) {
                    queue.restarted(command.node());
                } else {
                    queue.returned(command.node());
                }
                finish(queue, placement, lost);
            }
        }
        if (isNewBoot) {
            lost.addAll(orphans(edit, command.node(), command.boot()));
            deleteLost(edit, lost);
        }
        return known == null ? Outcome.CREATED : Outcome.UPDATED;
    }

    static Outcome down(ClusterEdit edit, NodeName node, long boot, Cause cause) {
        ClusterNode known = edit.nodes.get(node);
        if (known == null || known.boot() != boot || !known.isLive()) {
            return stale("boot " + boot + " of " + node + " is not recorded as live");
        }
        edit.put(known.withLive(false));
        List<QueueName> lost = new ArrayList<>();
        for (QueuePlacement placement : edit.placements.values()) {
            if (placement.replica(node) != null) {
                PlacementEdit queue = new PlacementEdit(edit, placement);
                queue.down(node, cause);
                finish(queue, placement, lost);
            }
        }
        lost.addAll(orphans(edit, node, null));
        deleteLost(edit, lost);
        return Outcome.UPDATED;
    }

    static Outcome setDraining(ClusterEdit edit, SetDraining command) {
        ClusterNode known = edit.nodes.get(command.node());
        if (known == null) {
            return noNode(command.node());
        }
        if (known.isDraining() == command.isDraining()) {
            return Outcome.UNCHANGED;
        }
        edit.put(known.withDraining(command.isDraining()));
        return Outcome.UPDATED;
    }

    static Outcome forget(ClusterEdit edit, ForgetNode command) {
        NodeName node = command.node();
        ClusterNode known = edit.nodes.get(node);
        if (known == null) {
            return noNode(node);
        }
        if (known.isLive()) {
            return Outcome.refused(RefusalKind.PRECONDITION_FAILED, "node " + node + " is running");
        }
        List<QueueName> lost = new ArrayList<>();
        for (QueuePlacement placement : edit.placements.values()) {
            if (placement.replica(node) != null) {
                PlacementEdit queue = new PlacementEdit(edit, placement);
                queue.remove(node);
                if (placement.leader() == null && !queue.isLost()) {
                    queue.findLeaderByForce();
                }
                finish(queue, placement, lost);
            }
        }
        edit.nodes = edit.nodes.minus(node);
        edit.results = edit.results.minus(node);
        edit.nodesChanged.add(node);
        deleteLost(edit, lost);
        return Outcome.DELETED;
    }

    private static Outcome noNode(NodeName node) {
        return Outcome.refused(RefusalKind.NOT_FOUND, "no node '" + node + "' in the cluster");
    }

    private static void finish(PlacementEdit queue, QueuePlacement placement, List<QueueName> lost) {
        queue.finish();
        if (queue.isLost()) {
            lost.add(placement.queue());
        }
    }

    /** Exclusive queues of the node's connections, but for those of the given boot. */
    private static List<QueueName> orphans(ClusterEdit edit, NodeName node, @Nullable Long exceptBoot) {
        return edit.definitions.owners().entrySet().stream()
                .filter(entry -> entry.getValue().node().equals(node))
                .filter(entry -> exceptBoot == null || entry.getValue().boot() != exceptBoot)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static void deleteLost(ClusterEdit edit, List<QueueName> queues) {
        List<ExchangeName> exchanges = new ArrayList<>();
        edit.transientExchanges.forEach((name, declared) -> {
            if (!isRemembered(edit, declared)) {
                exchanges.add(name);
            }
        });
        if (!queues.isEmpty() || !exchanges.isEmpty()) {
            edit.define(new DefinitionChange.DeleteLost(queues, exchanges));
        }
    }

    /** An exchange that is not durable lives while one node has been up since its declaration. */
    private static boolean isRemembered(ClusterEdit edit, long declared) {
        for (ClusterNode node : edit.nodes.values()) {
            if (node.isLive() && node.upSince() < declared) {
                return true;
            }
        }
        return false;
    }
}
