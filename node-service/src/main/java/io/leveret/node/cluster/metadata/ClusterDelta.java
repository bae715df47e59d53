package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.node.broker.definitions.DefinitionsDelta;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one command did.
 *
 * @param isReload true after an image was installed as a whole: nothing is listed and everything may differ
 * @param nodes nodes whose record changed
 */
public record ClusterDelta(
        boolean isReload,
        DefinitionsDelta definitions,
        Set<NodeName> nodes,
        List<PlacementChange> placements,
        List<Promotion> promotions) {
    /** All is the same. */
    public static final ClusterDelta NONE =
            new ClusterDelta(false, DefinitionsDelta.NONE, Set.of(), List.of(), List.of());

    /** Everything may differ. */
    public static final ClusterDelta RELOAD =
            new ClusterDelta(true, DefinitionsDelta.RELOAD, Set.of(), List.of(), List.of());

    /** A queue's placement before and after; null: there was, or is, no such queue. */
    public record PlacementChange(
            QueueName queue,
            long incarnation,
            @Nullable QueuePlacement before,
            @Nullable QueuePlacement after) {}
}
