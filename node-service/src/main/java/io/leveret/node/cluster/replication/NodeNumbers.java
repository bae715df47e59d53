package io.leveret.node.cluster.replication;

import io.leveret.model.NodeName;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.ClusterNode;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which node has which number. A number is never given twice, so a mapping once seen stays true. */
public record NodeNumbers(Map<Integer, NodeName> names, Map<NodeName, Integer> numbers) {
    /** The number of a node that metadata does not know. */
    public static final int UNKNOWN = -1;

    public static NodeNumbers of(ClusterImage image) {
        return new NodeNumbers(
                image.nodes().values().stream()
                        .collect(Collectors.toUnmodifiableMap(ClusterNode::number, ClusterNode::name)),
                image.nodes().values().stream()
                        .collect(Collectors.toUnmodifiableMap(ClusterNode::name, ClusterNode::number)));
    }

    @Nullable
    public NodeName name(int number) {
        return names.get(number);
    }

    public int number(NodeName name) {
        return numbers.getOrDefault(name, UNKNOWN);
    }
}
