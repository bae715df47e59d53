package io.leveret.node.cluster.placement;

import io.leveret.model.NodeName;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.definitions.PolicyMatchers;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.QueuePlacement;
import java.util.List;

/** Says where queues would be when the controller has nothing left to do: for what is shown before a change is made. Any thread. */
public final class PlacementForecast {
    private final PolicyMatchers matchers = new PolicyMatchers();

    /** The nodes that would hold the queue if this were the cluster, the leader first. */
    public List<NodeName> target(ClusterImage image, QueuePlacement queue) {
        QueueDefinition definition = image.definitions().queue(queue.queue());
        return definition == null
                ? queue.nodes()
                : MirrorPlacement.target(
                        new PlannedLoads(image),
                        queue,
                        matchers.forQueue(image.definitions(), definition).mirroring());
    }
}
