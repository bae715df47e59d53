package io.leveret.node.cluster.replication;

import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.ClusterNode;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.metadata.Replica;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Shows placements of one image as the cores need them: with numbers for names, and the boots of all nodes. */
final class ReplicaSets {
    private final ClusterImage image;
    private final Map<Integer, Long> boots;

    ReplicaSets(ClusterImage image) {
        this.image = image;
        Map<Integer, Long> found = new HashMap<>();
        image.nodes().values().forEach(each -> found.put(each.number(), each.boot()));
        this.boots = Map.copyOf(found);
    }

    ReplicaSet of(QueuePlacement placement) {
        List<ReplicaSet.Member> members = new ArrayList<>();
        for (Replica each : placement.replicas()) {
            ClusterNode node = image.node(each.node());
            if (node != null) {
                members.add(new ReplicaSet.Member(
                        node.number(),
                        node.boot(),
                        node.isLive(),
                        each.generation(),
                        each.isInSync(),
                        each.isAbandoned()));
            }
        }
        ClusterNode leader = placement.leader() == null ? null : image.node(placement.leader());
        return new ReplicaSet(
                placement.incarnation(),
                placement.epoch(),
                leader == null ? ReplicaSet.NOBODY : leader.number(),
                placement.version(),
                placement.isOpened(),
                placement.lossyEpoch(),
                members,
                boots);
    }
}
