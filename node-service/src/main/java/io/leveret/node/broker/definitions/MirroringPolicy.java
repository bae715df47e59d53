package io.leveret.node.broker.definitions;

import io.leveret.model.NodeName;
import io.leveret.model.definition.HaMode;
import java.util.List;

/**
 * What the ha-* keys of an effective policy ask for.
 *
 * @param count replicas for {@code exactly}, else 0
 * @param nodes listed nodes for {@code nodes}, else empty
 * @param syncBatchSize messages; 0: the node's own default
 * @param isPromotedOnShutdown whether an unsynchronised mirror may lead after a clean stop
 * @param isPromotedOnFailure whether an unsynchronised mirror may lead after a failure
 * @param minInSync publishes are refused while fewer replicas are in sync
 * @param isLostReplaced whether {@code exactly} makes a new mirror elsewhere when a node goes down
 */
public record MirroringPolicy(
        HaMode mode,
        int count,
        List<NodeName> nodes,
        boolean isSyncAutomatic,
        int syncBatchSize,
        boolean isPromotedOnShutdown,
        boolean isPromotedOnFailure,
        int minInSync,
        boolean isLostReplaced) {}
