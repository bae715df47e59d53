package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import java.util.UUID;

/**
 * A node as metadata knows it.
 *
 * @param number given at its first NodeUp, never given again; names the node inside message ids
 * @param storeId names the data directory: another one means an empty disk
 * @param boot grows at each process start
 * @param isLive nobody has reported it down since its last NodeUp
 * @param isDraining no leader is placed or moved here
 * @param isWitness votes, and carries no queue
 * @param upSince the Raft index of the NodeUp that told of this boot
 */
public record ClusterNode(
        NodeName name,
        int number,
        UUID storeId,
        long boot,
        boolean isLive,
        boolean isDraining,
        boolean isWitness,
        long upSince) {
    ClusterNode withLive(boolean live) {
        return new ClusterNode(name, number, storeId, boot, live, isDraining, isWitness, upSince);
    }

    ClusterNode withDraining(boolean draining) {
        return new ClusterNode(name, number, storeId, boot, isLive, draining, isWitness, upSince);
    }

    /** Whether a replica of a queue may be put here. */
    public boolean canHoldQueues() {
        return isLive && !isWitness;
    }
}
