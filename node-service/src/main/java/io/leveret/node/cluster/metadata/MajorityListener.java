package io.leveret.node.cluster.metadata;

/** Is told whether this node belongs to a majority; one call per change, on one thread. */
public interface MajorityListener {
    /** No Raft majority for as long as pause-after: this node must stop serving. */
    void majorityLost();

    /** A majority is there again, and this node has caught up with it. */
    void majorityBack();
}
