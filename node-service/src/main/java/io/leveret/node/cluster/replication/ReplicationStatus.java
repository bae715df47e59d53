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
     * @param isSynchronising these are being sent to it
     * @param bytesLeft of their bodies, taking them as large as the queue's messages are on average
     * @param bytesPerSecond how fast they have been sent since the last look
     */
    public record Mirror(NodeName node, long missing, boolean isSynchronising, long bytesLeft, long bytesPerSecond) {}
}
