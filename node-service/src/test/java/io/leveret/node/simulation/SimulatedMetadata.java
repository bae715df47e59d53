package io.leveret.node.simulation;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.ClusterNode;
import io.leveret.node.cluster.metadata.Promotion;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.metadata.Replica;
import io.leveret.node.cluster.replication.ReplicaSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The metadata log: commands enter it out of order, twice, or never; every image that it made is kept. */
final class SimulatedMetadata {
    private final Random random;
    private final List<ClusterCommand> proposed = new ArrayList<>();
    private final List<ClusterImage> images = new ArrayList<>();

    SimulatedMetadata(Random random) {
        this.random = random;
        images.add(ClusterImage.EMPTY);
    }

    ClusterImage image(int at) {
        return images.get(at);
    }

    int last() {
        return images.size() - 1;
    }

    ClusterImage newest() {
        return images.get(last());
    }

    /** From a node, which may never hear what became of it. */
    void propose(ClusterCommand command) {
        if (random.nextInt(10) == 0 || proposed.size() > 200) {
            return;
        }
        proposed.add(command);
        if (random.nextInt(7) == 0) {
            proposed.add(command);
        }
    }

    /** From a controller or an operator: certain to enter the log. */
    void command(ClusterCommand command) {
        proposed.add(command);
    }

    @Nullable
    ClusterCommand next() {
        return proposed.isEmpty() ? null : proposed.remove(random.nextInt(Math.min(3, proposed.size())));
    }

    /** @return the promotions that it brought; null when it changed nothing */
    @Nullable
    List<Promotion> apply(ClusterCommand command) {
        ClusterImage.Applied applied = newest().apply(images.size(), command);
        boolean isSame = applied.delta().placements().isEmpty()
                && applied.delta().nodes().isEmpty()
                && applied.image().definitions().equals(newest().definitions());
        if (isSame) {
            return null;
        }
        images.add(applied.image());
        return applied.delta().promotions();
    }

    static int number(ClusterImage image, @Nullable NodeName name) {
        ClusterNode node = name == null ? null : image.node(name);
        return node == null ? ReplicaSet.NOBODY : node.number();
    }

    static @Nullable ReplicaSet replicas(ClusterImage image, QueueName queue) {
        QueuePlacement placement = image.placement(queue);
        if (placement == null) {
            return null;
        }
        List<ReplicaSet.Member> members = new ArrayList<>();
        for (Replica each : placement.replicas()) {
            ClusterNode node = image.node(each.node());
            members.add(new ReplicaSet.Member(
                    node.number(), node.boot(), node.isLive(), each.generation(), each.isInSync(), each.isAbandoned()));
        }
        Map<Integer, Long> boots = new HashMap<>();
        image.nodes().values().forEach(node -> boots.put(node.number(), node.boot()));
        return new ReplicaSet(
                placement.incarnation(),
                placement.epoch(),
                number(image, placement.leader()),
                placement.version(),
                placement.isOpened(),
                placement.lossyEpoch(),
                members,
                boots);
    }
}
