package io.leveret.node;

import io.leveret.model.NodeName;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.placement.PlacementController;
import io.leveret.node.cluster.placement.PlacementForecast;
import io.leveret.node.control.ControlScope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the control API asks of placement. The controller comes when the broker starts; until then nothing moves. */
final class ClusterPlanner implements ControlScope.Planner {
    private final PlacementForecast forecast = new PlacementForecast();
    private volatile @Nullable PlacementController controller;

    void controller(PlacementController started) {
        controller = started;
    }

    @Override
    public void rebalance() {
        PlacementController running = controller;
        if (running != null) {
            running.rebalance(queue -> true);
        }
    }

    @Override
    public List<NodeName> target(ClusterImage image, QueuePlacement queue) {
        return forecast.target(image, queue);
    }
}
