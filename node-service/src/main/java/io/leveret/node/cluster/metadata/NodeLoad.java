package io.leveret.node.cluster.metadata;

/**
 * How much a node carries, counted along with the placements so that placing a queue does not look at all others.
 *
 * @param leaders queues it leads, exclusive ones too
 * @param replicas queues it holds, those it leads among them
 */
public record NodeLoad(int leaders, int replicas) {
    /** Nothing. */
    public static final NodeLoad NONE = new NodeLoad(0, 0);

    NodeLoad plus(int moreLeaders, int moreReplicas) {
        return new NodeLoad(leaders + moreLeaders, replicas + moreReplicas);
    }
}
