package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a queue, and who leads it: PROTOCOL.md §1. Immutable.
 *
 * @param incarnation names this life of the queue; a queue declared again under the name has another
 * @param epoch names the leadership: cluster generation in the upper 16 bits, and a counter
 * @param leader null while nobody may lead
 * @param version grows at every change of this placement and of the boot or liveness of a node in it
 * @param isOpened the leader of this epoch may commit
 * @param lossyEpoch the epoch in which messages may have been left behind; 0: none
 * @param isStopped the last leader stopped in good order; decides which promotion policy counts while nobody leads
 * @param replicas oldest first
 */
public record QueuePlacement(
        QueueName queue,
        long incarnation,
        long epoch,
        @Nullable NodeName leader,
        long version,
        boolean isOpened,
        long lossyEpoch,
        boolean isStopped,
        List<Replica> replicas) {
    /** The replica on a node, or null. */
    public @Nullable Replica replica(NodeName node) {
        for (Replica each : replicas) {
            if (each.node().equals(node)) {
                return each;
            }
        }
        return null;
    }

    public boolean isLedBy(NodeName node) {
        return node.equals(leader);
    }

    public boolean isInSync(NodeName node) {
        Replica replica = replica(node);
        return replica != null && replica.isInSync();
    }

    public boolean isAbandoned(NodeName node) {
        Replica replica = replica(node);
        return replica != null && replica.isAbandoned();
    }

    /** All nodes with a replica, oldest replica first. */
    public List<NodeName> nodes() {
        return nodes(replica -> true);
    }

    /** All nodes with a replica but the leader. */
    public List<NodeName> mirrors() {
        return nodes(replica -> !isLedBy(replica.node()));
    }

    /** The in-sync set, the leader in it. */
    public List<NodeName> inSync() {
        return nodes(Replica::isInSync);
    }

    public List<NodeName> holders() {
        return nodes(Replica::isHolder);
    }

    public List<NodeName> abandoned() {
        return nodes(Replica::isAbandoned);
    }

    private List<NodeName> nodes(Predicate<Replica> which) {
        return replicas.stream().filter(which).map(Replica::node).toList();
    }
}
