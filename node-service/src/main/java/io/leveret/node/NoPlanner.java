package io.leveret.node;

import io.leveret.model.NodeName;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.control.ControlScope;
import java.util.List;

/** Leaves every queue where it is. */
final class NoPlanner implements ControlScope.Planner {
    @Override
    public void rebalance() {
        // Nothing moves.
    }

    @Override
    public List<NodeName> target(ClusterImage image, QueuePlacement queue) {
        return queue.nodes();
    }
}
