package io.leveret.admin.cluster;

/** What was read of the cluster and is shown for a while longer. */
public interface Kept {
    /** Something may have changed: the next look is a new one. */
    void forget();
}
