package io.leveret.admin.cluster;

import io.leveret.model.view.NamedView;

/** The changes of the cluster as a whole that the API and the pages have in common. */
public final class ClusterMutations {
    private ClusterMutations() {}

    /** Spreads leaders evenly. */
    public static Mutation rebalance() {
        return Mutation.act(
                "rebalance",
                new Mutation.Subject("queues", "", "all", null),
                "POST",
                ControlPath.of("rebalance", "queues"),
                null);
    }

    public static Mutation rename(String name) {
        return Mutation.put("cluster name", "", name, ControlPath.of("cluster-name"), new NamedView(name));
    }
}
