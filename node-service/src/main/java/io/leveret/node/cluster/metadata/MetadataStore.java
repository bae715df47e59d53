package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import io.leveret.node.broker.definitions.Definitions;
import io.leveret.node.broker.definitions.Outcome;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** The metadata of the cluster, as agreed among its nodes and as far as this node has applied it. Any thread. */
public interface MetadataStore extends Definitions {
    /** The newest image this node has applied. Never waits. */
    ClusterImage cluster();

    /**
     * Proposes a command. The stage completes when it is agreed and {@link #cluster} of this node contains its effect. It
     * fails with {@link io.leveret.node.broker.definitions.DefinitionsUnavailableException} when no answer came in time: the
     * command may still take effect.
     */
    CompletionStage<Outcome> propose(ClusterCommand command);

    /** An image that contains every command that was answered anywhere before this call. */
    CompletionStage<ClusterImage> clusterUpToDate();

    /** The listener is told of every command applied from now on, in order. */
    @SuppressWarnings("overloads") // the two listeners take different records; no lambda fits both
    void addListener(MetadataListener listener);

    /** Told when this node lost, or found again, a majority that agrees with it. */
    void addMajorityListener(MajorityListener listener);

    NodeName localNode();

    /** This process's boot: raised at its start, on disk before it was used. */
    long boot();

    /** The name of this node's data directory. */
    UUID storeId();

    /** True while this node leads the Raft group. A hint: what it proposes is checked like anybody's. */
    boolean isRaftLeader();

    /** False after pause-after without a Raft majority, until one is there again. */
    boolean hasMajority();
}
