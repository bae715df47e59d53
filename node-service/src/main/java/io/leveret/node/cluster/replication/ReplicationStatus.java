package io.leveret.node.cluster.replication;

import io.leveret.model.NodeName;
import java.util.List;

/**
 * How the replicas of one queue stand, as its leader sees it.
 *
 * @param held messages that the leader holds
 * @param uncommitted events that not all needed replicas have
 * @param mirrors those that have a session with the leader
 */
public record ReplicationStatus(NodeName leader, long epoch, long held, int uncommitted, List<Mirror> mirrors) {
    /**
     * One mirror.
     *
     * @param missing messages that it still lacks
     * @param stage adopted, compared, synchronising or complete
     */
    public record Mirror(NodeName node, long missing, String stage) {}
}
