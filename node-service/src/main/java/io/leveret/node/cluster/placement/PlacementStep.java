package io.leveret.node.cluster.placement;

import io.leveret.model.NodeName;
import io.leveret.node.cluster.metadata.ClusterCommand.AddReplica;
import io.leveret.node.cluster.metadata.ClusterCommand.Move;
import io.leveret.node.cluster.metadata.ClusterCommand.RemoveReplica;
import io.leveret.node.cluster.metadata.QueuePlacement;

/** One step of one queue towards where it should be. */
public sealed interface PlacementStep {
    /** A node gets an empty replica. */
    record Add(NodeName node) implements PlacementStep {
        AddReplica.Step of(QueuePlacement queue) {
            return new AddReplica.Step(queue.incarnation(), node, queue.version());
        }
    }

    /** Another member of the in-sync set leads. */
    record Lead(NodeName node) implements PlacementStep {
        Move.Step of(QueuePlacement queue) {
            return new Move.Step(queue.incarnation(), node, queue.epoch(), queue.version());
        }
    }

    /** A node gives up its replica. */
    record Remove(NodeName node) implements PlacementStep {
        RemoveReplica.Step of(QueuePlacement queue) {
            return new RemoveReplica.Step(queue.incarnation(), node, queue.version(), false);
        }
    }
}
