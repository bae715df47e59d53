package io.leveret.node.control;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.control.ClusterView.Selection;
import io.leveret.node.control.LocalReplicas.MirrorProgress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** How far the mirrors are that do not hold everything yet. Their leaders are asked, and only if there is such a mirror. */
final class SyncProgress {
    /** Queues that one node tells about; the others are shown without figures. */
    private static final int QUEUES_MAX = 2_000;

    private SyncProgress() {}

    /** The mirrors of a queue that this node leads, as JSON. */
    record Told(String vhost, String queue, Map<String, MirrorProgress> mirrors) {}

    static Map<QueueName, Map<NodeName, MirrorProgress>> of(
            ClusterView cluster, ClusterImage image, Selection selection) {
        Set<NodeName> leaders = new HashSet<>();
        for (QueuePlacement placement : selection.of(image)) {
            NodeName leader = placement.leader();
            if (leader != null && image.isLive(leader) && isBehind(image, placement)) {
                leaders.add(leader);
            }
        }
        Map<QueueName, Map<NodeName, MirrorProgress>> found = new HashMap<>();
        String vhost = selection.vhost() == null
                ? ""
                : "?vhost=" + PeerControl.encoded(selection.vhost().value());
        boolean isLeading = leaders.remove(cluster.scope().store().localNode());
        cluster.glances(leaders, "/node/mirrors" + vhost)
                .values()
                .forEach(answer -> answer.forEach(each -> add(found, Json.convert(each, Told.class))));
        if (isLeading) {
            local(cluster, image, selection).forEach(told -> add(found, told));
        }
        return found;
    }

    private static void add(Map<QueueName, Map<NodeName, MirrorProgress>> found, @Nullable Told told) {
        if (told != null) {
            Map<NodeName, MirrorProgress> mirrors = new HashMap<>();
            told.mirrors.forEach((node, progress) -> mirrors.put(new NodeName(node), progress));
            found.put(QueueName.of(told.vhost, told.queue), mirrors);
        }
    }

    /** A mirror that is up holds less than its leader. */
    private static boolean isBehind(ClusterImage image, QueuePlacement placement) {
        return placement.replicas().stream().anyMatch(replica -> !replica.isInSync() && image.isLive(replica.node()));
    }

    /** What this node's leaders know. */
    static List<Told> local(ClusterView cluster, ClusterImage image, Selection selection) {
        NodeName self = cluster.scope().store().localNode();
        Map<QueueName, CompletionStage<Map<NodeName, MirrorProgress>>> asked = new LinkedHashMap<>();
        for (QueuePlacement placement : selection.of(image)) {
            if (asked.size() < QUEUES_MAX && placement.isLedBy(self) && isBehind(image, placement)) {
                asked.put(placement.queue(), cluster.scope().replicas().mirrors(placement.queue()));
            }
        }
        List<Told> list = new ArrayList<>();
        asked.forEach((queue, progress) -> {
            Map<String, MirrorProgress> mirrors = new HashMap<>();
            Waiting.on(progress).forEach((node, each) -> mirrors.put(node.value(), each));
            list.add(new Told(queue.vhost().value(), queue.value(), mirrors));
        });
        return list;
    }
}
