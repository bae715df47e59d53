package io.leveret.node.cluster.placement;

import io.leveret.model.NodeName;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.ClusterNode;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes of one image and what they carry, with the steps planned so far counted in: many queues planned from one image
 * spread as if they were planned one after the other. One thread.
 */
public final class PlannedLoads {
    /** The emptiest first; one in maintenance only when there is no other. */
    private final Comparator<NodeName> byReplicas = Comparator.comparing(this::isDraining)
            .thenComparingInt(this::replicas)
            .thenComparing(Comparator.naturalOrder());

    private final ClusterImage image;
    private final List<NodeName> holders;
    private final Map<NodeName, Integer> moreLeaders = new HashMap<>();
    private final Map<NodeName, Integer> moreReplicas = new HashMap<>();

    /** Nothing is planned yet. */
    public PlannedLoads(ClusterImage image) {
        this.image = image;
        this.holders = image.nodes().values().stream()
                .filter(ClusterNode::canHoldQueues)
                .map(ClusterNode::name)
                .toList();
    }

    /** The image that the planning started from. */
    public ClusterImage image() {
        return image;
    }

    /** Nodes that may hold replicas, by name. */
    List<NodeName> holders() {
        return holders;
    }

    boolean canHold(NodeName node) {
        ClusterNode known = image.node(node);
        return known != null && known.canHoldQueues();
    }

    /** Whether the node is, or may be again, one that carries queues. */
    boolean isHolderKnown(NodeName node) {
        ClusterNode known = image.node(node);
        return known != null && !known.isWitness();
    }

    boolean isDraining(NodeName node) {
        ClusterNode known = image.node(node);
        return known != null && known.isDraining();
    }

    int leaders(NodeName node) {
        return image.load(node).leaders() + moreLeaders.getOrDefault(node, 0);
    }

    int replicas(NodeName node) {
        return image.load(node).replicas() + moreReplicas.getOrDefault(node, 0);
    }

    Comparator<NodeName> byReplicas() {
        return byReplicas;
    }

    void added(NodeName node) {
        moreReplicas.merge(node, 1, Integer::sum);
    }

    void removed(NodeName node) {
        moreReplicas.merge(node, -1, Integer::sum);
    }

    void moved(NodeName from, NodeName to) {
        moreLeaders.merge(from, -1, Integer::sum);
        moreLeaders.merge(to, 1, Integer::sum);
    }
}
