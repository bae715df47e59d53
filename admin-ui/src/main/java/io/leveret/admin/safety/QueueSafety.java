package io.leveret.admin.safety;

import io.leveret.model.view.QueueView;
import io.leveret.model.view.ReplicaView;
import io.leveret.model.view.ReplicationView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the loss of one node does to one queue. The rules are those of failover: a mirror in sync leads on; else, unless {@code
 * ha-promote-on-failure} is {@code when-synced}, a running mirror leads with what it has; else the queue is away with its
 * node, for good when it is not durable.
 *
 * @param replicas the leader first
 */
public record QueueSafety(QueueView queue, List<ReplicaView> replicas) {

    /** The queue as a whole. */
    public enum Verdict {
        /** No leader now. */
        DOWN,
        /** The loss of a node costs messages, or makes it unavailable although it has mirrors. */
        AT_RISK,
        /** No mirror. */
        ONE_COPY,
        /** The loss of any one node costs nothing. */
        SAFE
    }

    /** What the loss of a node does. */
    public enum Effect {
        NOTHING,
        FAILS_OVER,
        LOSES_MESSAGES,
        AWAY,
        GONE
    }

    private static final String PROMOTE_ON_FAILURE = "ha-promote-on-failure";

    public static QueueSafety of(QueueView queue) {
        ReplicationView replication = queue.replication();
        return new QueueSafety(queue, replication == null ? fromNames(queue) : replication.replicas());
    }

    public Verdict verdict() {
        ReplicaView leader = leader();
        if (leader == null || !leader.isRunning() || "down".equals(queue.state()) || "stopped".equals(queue.state())) {
            return Verdict.DOWN;
        }
        if (replicas.size() < 2) {
            return Verdict.ONE_COPY;
        }
        return effectOfLosing(leader.node()) == Effect.FAILS_OVER ? Verdict.SAFE : Verdict.AT_RISK;
    }

    /** What happens when this node is lost. */
    public Effect effectOfLosing(String node) {
        ReplicaView leader = leader();
        if (leader == null || !leader.node().equals(node)) {
            return Effect.NOTHING;
        }
        if (heirs().stream().anyMatch(ReplicaView::isInSync)) {
            return Effect.FAILS_OVER;
        }
        if (!heirs().isEmpty() && !"when-synced".equals(policy().get(PROMOTE_ON_FAILURE))) {
            return Effect.LOSES_MESSAGES;
        }
        return queue.isDurable() && !queue.isExclusive() ? Effect.AWAY : Effect.GONE;
    }

    /** Messages that would be lost with the leader; null when it is not known how many. */
    public @Nullable Long messagesAtRisk() {
        Long fewest = null;
        for (ReplicaView heir : heirs()) {
            Long behind = heir.behind();
            if (behind != null && (fewest == null || behind < fewest)) {
                fewest = behind;
            }
        }
        return fewest;
    }

    public @Nullable ReplicaView leader() {
        return replicas.stream()
                .filter(replica -> replica.role().equals(ReplicaView.LEADER))
                .findFirst()
                .orElse(null);
    }

    public List<ReplicaView> mirrors() {
        return replicas.stream()
                .filter(replica -> !replica.role().equals(ReplicaView.LEADER))
                .toList();
    }

    public boolean isSyncing() {
        return replicas.stream().anyMatch(replica -> replica.sync() != null);
    }

    public boolean hasMirrorDown() {
        return mirrors().stream().anyMatch(mirror -> !mirror.isRunning());
    }

    /** Copies that a confirm waits for. */
    public long inSync() {
        return replicas.stream().filter(ReplicaView::isInSync).count();
    }

    private List<ReplicaView> heirs() {
        return mirrors().stream()
                .filter(mirror -> mirror.isRunning() && !mirror.state().equals(ReplicaView.State.BROKEN))
                .toList();
    }

    private Map<String, Object> policy() {
        Map<String, Object> policy = queue.effectivePolicy();
        return policy == null ? Map.of() : policy;
    }

    /** For an answer without replicas: the names alone. */
    private static List<ReplicaView> fromNames(QueueView queue) {
        List<ReplicaView> replicas = new ArrayList<>();
        String leader = queue.leader();
        if (leader != null) {
            replicas.add(new ReplicaView(
                    leader,
                    ReplicaView.LEADER,
                    ReplicaView.State.LEADER,
                    true,
                    !"down".equals(queue.state()),
                    null,
                    null,
                    null,
                    null));
        }
        List<String> synced = queue.syncedMirrors() == null ? List.of() : queue.syncedMirrors();
        for (String mirror : queue.mirrors() == null ? List.<String>of() : queue.mirrors()) {
            boolean isInSync = synced.contains(mirror);
            replicas.add(new ReplicaView(
                    mirror,
                    ReplicaView.MIRROR,
                    isInSync ? ReplicaView.State.IN_SYNC : ReplicaView.State.NOT_SYNCHRONISED,
                    isInSync,
                    true,
                    null,
                    null,
                    null,
                    null));
        }
        return replicas;
    }
}
