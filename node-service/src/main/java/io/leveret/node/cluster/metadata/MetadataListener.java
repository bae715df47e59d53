package io.leveret.node.cluster.metadata;

/** Is told what changed, once per command and in the order of the log, on one thread that must not be held up. */
@FunctionalInterface
public interface MetadataListener {
    /** @param image the cluster with {@code delta} in it */
    void changed(ClusterDelta delta, ClusterImage image);
}
