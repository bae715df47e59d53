package io.leveret.node.simulation;

import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.Promotion;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.replication.ReplicaSet;
import io.leveret.node.cluster.replication.Seams;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the members of the in-sync set must hold, looked at from outside: after commands, now and then, and at rest. */
final class MemberChecks {
    private final SimulatedCluster cluster;

    MemberChecks(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    /** A member that has applied all its leader's events has all its leader's messages. */
    void ofMembers() {
        ReplicaSet placement = SimulatedMetadata.replicas(cluster.metadata.newest(), SimulatedCluster.QUEUE);
        if (placement == null || placement.leader() == ReplicaSet.NOBODY) {
            return;
        }
        SimulatedReplica leader = intact(placement, placement.leader());
        if (leader == null || leader.leader == null || leader.leader.epoch() != placement.epoch()) {
            return;
        }
        for (ReplicaSet.Member each : placement.members()) {
            SimulatedReplica replica = each.isInSync() ? intact(placement, each.node()) : null;
            boolean isSame = replica != null
                    && replica.mirror != null
                    && replica.mirror.isStreaming()
                    && replica.mirror.epoch() == placement.epoch()
                    && replica.state.end().equals(leader.state.end());
            if (isSame
                    && !replica.state
                            .queue()
                            .live()
                            .runs()
                            .equals(leader.state.queue().live().runs())) {
                throw new Violation("I3 member " + each.node() + " differs: " + Seams.describe(replica.state)
                        + " from its leader: " + Seams.describe(leader.state));
            }
        }
    }

    /** The replica on a node, if it is the one that metadata means. */
    private @Nullable SimulatedReplica intact(ReplicaSet placement, int number) {
        SimulatedNode node = cluster.nodes.get(number - 1);
        ReplicaSet.Member member = placement.member(number);
        SimulatedReplica replica = node.replica;
        boolean isIntact = replica != null
                && member != null
                && node.boot == member.boot()
                && replica.stream.incarnation() == placement.incarnation()
                && replica.stream.generation() == member.generation();
        return isIntact ? replica : null;
    }

    void ofCommand(QueuePlacement placement, List<Promotion> promotions, ClusterCommand command) {
        ReplicaSet replicas = SimulatedMetadata.replicas(cluster.metadata.newest(), SimulatedCluster.QUEUE);
        boolean isClean = command instanceof ClusterCommand.Join
                || promotions.stream()
                        .anyMatch(each -> each.kind() == Promotion.Kind.CLEAN || each.kind() == Promotion.Kind.MOVED);
        for (ReplicaSet.Member each : replicas.members()) {
            SimulatedReplica replica = intact(replicas, each.node());
            if (isClean && each.isInSync() && replica != null) {
                cluster.ledger(placement.incarnation()).checkMember(each.node(), replica.state);
            }
        }
    }

    /** Nothing is under way: the ledger is closed, and all hold the same. */
    void atRest() {
        ReplicaSet placement = SimulatedMetadata.replicas(cluster.metadata.newest(), SimulatedCluster.QUEUE);
        SimulatedReplica leader = cluster.nodes.get(placement.leader() - 1).replica;
        cluster.ledger(placement.incarnation()).checkEnd(leader.state, placement);
        for (SimulatedNode each : cluster.nodes) {
            if (!each.replica
                    .state
                    .queue()
                    .live()
                    .runs()
                    .equals(leader.state.queue().live().runs())) {
                throw new Violation("I3 member " + each.number + " differs: " + Seams.describe(each.replica.state)
                        + " from its leader: " + Seams.describe(leader.state));
            }
        }
    }
}
