package io.leveret.node.control;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.view.ConnectionReference;
import io.leveret.model.view.ConsumerView;
import io.leveret.model.view.MessageStats;
import io.leveret.model.view.MessageStats.Counter;
import io.leveret.model.view.QueueView;
import io.leveret.model.view.ReplicaView;
import io.leveret.model.view.ReplicationView;
import io.leveret.node.broker.definitions.EffectivePolicy;
import io.leveret.node.broker.definitions.QueueOwner;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.metadata.Replica;
import io.leveret.node.control.LocalReplicas.MirrorProgress;
import io.leveret.node.metrics.NodeReport;
import io.leveret.node.metrics.QueueReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Queues as the API shows them. */
final class QueueViews {
    private final ClusterImage image;
    private final ClusterView.Matchers matchers;
    private final Map<QueueName, QueueReport> reports = new HashMap<>();
    private final Map<String, ConnectionReference> owners = new HashMap<>();

    QueueViews(ClusterImage image, List<NodeReport> nodes) {
        this.image = image;
        this.matchers = new ClusterView.Matchers(image);
        for (NodeReport node : nodes) {
            if (node.owners() != null) {
                owners.putAll(node.owners());
            }
            if (node.queues() != null) {
                node.queues().forEach(report -> reports.put(QueueName.of(report.vhost(), report.name()), report));
            }
        }
    }

    @Nullable
    QueueReport report(QueueName queue) {
        return reports.get(queue);
    }

    /** Whether one consumer at a time gets the queue's messages. */
    boolean isSingleActive(QueueName queue) {
        QueueDefinition definition = image.definitions().queue(queue);
        return definition != null && Boolean.TRUE.equals(definition.arguments().get("x-single-active-consumer"));
    }

    /** A queue in a list. */
    QueueView view(QueueDefinition queue, Map<NodeName, MirrorProgress> progress) {
        return view(queue, progress, null);
    }

    /** @param progress what the leader knows of its mirrors */
    QueueView view(
            QueueDefinition queue, Map<NodeName, MirrorProgress> progress, @Nullable List<ConsumerView> consumers) {
        QueuePlacement placement = image.placement(queue.name());
        QueueReport report = reports.get(queue.name());
        EffectivePolicy policy = matchers.of(queue.name().vhost()).forQueue(queue);
        QueuePlacement mirrored = placement != null
                        && (policy.mirroring() != null || placement.replicas().size() > 1)
                ? placement
                : null;
        NodeName leader = placement == null ? null : placement.leader();
        return new QueueView(
                queue.name().value(),
                queue.name().vhost().value(),
                "classic",
                queue.isDurable(),
                queue.isExclusive(),
                queue.isAutoDelete(),
                queue.arguments(),
                leaderOrLast(placement),
                state(placement, progress),
                mirrored == null ? null : names(mirrored.mirrors(), true),
                mirrored == null ? null : names(mirrorsInSync(mirrored), true),
                mirrored == null ? null : names(mirrored.mirrors(), false),
                policy.policy(),
                policy.operatorPolicy(),
                policy.definition(),
                report == null ? null : report.exclusiveConsumerTag(),
                singleActive(queue, report),
                report == null ? null : report.headTimestamp(),
                report == null ? null : report.idleSince(),
                owner(image.definitions().owner(queue.name())),
                copied(progress),
                report == null ? null : storage(queue, policy, report),
                report == null ? null : report.figures(),
                report == null || report.stats().counts().isEmpty() ? null : report.stats(),
                consumers,
                placement == null ? null : replication(placement, leader, progress));
    }

    private static List<NodeName> mirrorsInSync(QueuePlacement placement) {
        return placement.inSync().stream()
                .filter(node -> !placement.isLedBy(node))
                .toList();
    }

    private List<String> names(List<NodeName> nodes, boolean onlyLive) {
        return nodes.stream()
                .filter(node -> !onlyLive || image.isLive(node))
                .map(NodeName::value)
                .toList();
    }

    /** The node that leads the queue; when nobody does, the oldest that holds all of it. */
    private static @Nullable String leaderOrLast(@Nullable QueuePlacement placement) {
        if (placement == null) {
            return null;
        }
        NodeName leader = placement.leader();
        if (leader != null) {
            return leader.value();
        }
        List<NodeName> candidates = placement.holders().isEmpty() ? placement.nodes() : placement.holders();
        return candidates.isEmpty() ? null : candidates.get(0).value();
    }

    private String state(@Nullable QueuePlacement placement, Map<NodeName, MirrorProgress> progress) {
        if (placement == null || placement.leader() == null || !image.isLive(placement.leader())) {
            return placement != null && placement.isStopped() ? "stopped" : "down";
        }
        return progress.values().stream().anyMatch(mirror -> mirror.sync() != null && !mirror.isPaused())
                ? "syncing"
                : "running";
    }

    private static @Nullable String singleActive(QueueDefinition queue, @Nullable QueueReport report) {
        boolean isSingle = Boolean.TRUE.equals(queue.arguments().get("x-single-active-consumer"));
        return isSingle && report != null && !report.consumerTags().isEmpty()
                ? report.consumerTags().get(0)
                : null;
    }

    private @Nullable ConnectionReference owner(@Nullable QueueOwner owner) {
        return owner == null
                ? null
                : owners.getOrDefault(owner.toString(), new ConnectionReference(owner.toString(), "", 0));
    }

    private static @Nullable Long copied(Map<NodeName, MirrorProgress> progress) {
        Long most = null;
        for (MirrorProgress mirror : progress.values()) {
            if (mirror.sync() != null && !mirror.isPaused()) {
                long done = mirror.sync().messagesDone();
                most = most == null ? done : Math.max(most, done);
            }
        }
        return most;
    }

    /** The members of a classic queue's storage status that mean something here. */
    private static Map<String, Object> storage(QueueDefinition queue, EffectivePolicy policy, QueueReport report) {
        Object argument = queue.arguments().get("x-queue-mode");
        Object mode = argument != null ? argument : policy.definition().getOrDefault("queue-mode", "default");
        MessageStats stats = report.stats();
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("mode", mode);
        status.put("len", Objects.requireNonNullElse(report.figures().ready(), 0L));
        status.put("avg_ingress_rate", stats.perSecond(Counter.PUBLISH));
        status.put("avg_egress_rate", stats.perSecond(Counter.DELIVER_GET));
        status.put("avg_ack_ingress_rate", stats.perSecond(Counter.DELIVER) + stats.perSecond(Counter.GET));
        status.put("avg_ack_egress_rate", stats.perSecond(Counter.ACK));
        return status;
    }

    private ReplicationView replication(
            QueuePlacement placement, @Nullable NodeName leader, Map<NodeName, MirrorProgress> progress) {
        List<ReplicaView> replicas = new ArrayList<>();
        placement.replicas().stream()
                .sorted((a, b) ->
                        Boolean.compare(b.node().equals(leader), a.node().equals(leader)))
                .forEach(replica -> replicas.add(replica(replica, leader, progress.get(replica.node()))));
        return new ReplicationView(
                placement.epoch(), placement.isOpened(), placement.abandoned().size(), replicas);
    }

    private ReplicaView replica(Replica replica, @Nullable NodeName leader, @Nullable MirrorProgress progress) {
        boolean isLeader = replica.node().equals(leader);
        boolean isRunning = image.isLive(replica.node());
        return new ReplicaView(
                replica.node().value(),
                isLeader ? ReplicaView.LEADER : ReplicaView.MIRROR,
                state(replica, isLeader, isRunning, progress),
                replica.isInSync(),
                isRunning,
                progress == null ? null : progress.behind(),
                progress == null ? null : progress.sync(),
                null,
                progress == null ? null : progress.reason());
    }

    private static String state(
            Replica replica, boolean isLeader, boolean isRunning, @Nullable MirrorProgress progress) {
        if (!isRunning) {
            return ReplicaView.State.DOWN;
        }
        if (isLeader) {
            return ReplicaView.State.LEADER;
        }
        if (replica.isInSync()) {
            return ReplicaView.State.IN_SYNC;
        }
        if (progress != null && progress.sync() != null) {
            return progress.isPaused() ? ReplicaView.State.PAUSED : ReplicaView.State.SYNCING;
        }
        return ReplicaView.State.NOT_SYNCHRONISED;
    }
}
