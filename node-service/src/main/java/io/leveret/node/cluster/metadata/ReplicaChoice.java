package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import io.leveret.node.broker.definitions.DefinitionChange;
import java.util.List;

/** Chooses the nodes of a queue that is being declared. Pure. */
@FunctionalInterface
public interface ReplicaChoice {
    /** The leader first; never empty. */
    List<NodeName> choose(ClusterImage image, DefinitionChange.DeclareQueue change, NodeName clientNode);
}
