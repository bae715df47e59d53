package io.leveret.node.cluster.replication;

/** Looks into a replica, for tests of other packages. Called on the replica's executor. */
public final class ReplicaProbe {
    private ReplicaProbe() {}

    /** Messages that it holds. */
    public static long held(QueueHost host) {
        return host.state().queue().live().count();
    }
}
