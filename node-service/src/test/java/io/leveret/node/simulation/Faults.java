package io.leveret.node.simulation;

import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.replication.Seams;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What goes wrong in a {@link SimulatedCluster}: crashes, cuts, suspicions, moves, changes of policy and queue. */
final class Faults {
    private final SimulatedCluster cluster;

    Faults(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    /** One fault. */
    void next() {
        SimulatedNode node = cluster.nodes.get(cluster.random.nextInt(cluster.nodes.size()));
        SimulatedNode other = cluster.nodes.get(cluster.random.nextInt(cluster.nodes.size()));
        double chance = cluster.random.nextDouble();
        if (chance < .18) {
            crash(node);
        } else if (chance < .38) {
            List<SimulatedNode> dead =
                    cluster.nodes.stream().filter(each -> !each.isAlive).toList();
            if (!dead.isEmpty()) {
                start(dead.get(cluster.random.nextInt(dead.size())));
            }
        } else if (chance < .48 && node != other) {
            cluster.network.block(node.index(), other.index());
            if (cluster.random.nextInt(10) < 7) {
                cluster.network.block(other.index(), node.index());
            }
        } else if (chance < .60) {
            cluster.network.unblockAll();
        } else if (chance < .66 && node != other) {
            cluster.network.reset(node.index(), other.index());
        } else if (chance < .72) {
            node.isCutOff = !node.isCutOff;
        } else if (chance < .76) {
            cluster.nodes.forEach(each -> each.isCutOff = false);
        } else if (chance < .88) {
            suspect();
        } else if (cluster.isVicious && chance < .94) {
            shrink(other);
        } else if (chance < .92) {
            move(other);
        } else {
            change(node);
        }
    }

    private void crash(SimulatedNode node) {
        if (node.isAlive) {
            if (cluster.random.nextInt(10) == 0) {
                node.disk.fsync();
                cluster.metadata.command(new ClusterCommand.NodeLeaving(node.name, node.boot));
            }
            cluster.trace(() -> "CRASH " + node.number);
            node.crash();
            cluster.coverage.crashes++;
        }
        if (cluster.random.nextBoolean()) {
            start(node);
        }
        if (cluster.random.nextInt(7) == 0) {
            cluster.nodes.stream().filter(each -> each.isAlive).forEach(SimulatedNode::crash);
            cluster.trace(() -> "CRASH all");
        }
    }

    private void start(SimulatedNode node) {
        node.damaged = Set.of();
        if (cluster.hasDamage && cluster.random.nextInt(6) == 0) {
            QueuePlacement placement = cluster.metadata.newest().placement(SimulatedCluster.QUEUE);
            if (cluster.random.nextBoolean() || placement == null) {
                node.wipe();
                cluster.coverage.wipes++;
            } else {
                node.damaged = Set.of(placement.incarnation());
                cluster.coverage.wipes++;
            }
        }
        node.start();
        cluster.trace(() -> "START " + node.number + " boot " + node.boot
                + (node.replica == null ? "" : " " + Seams.describe(node.replica.state)));
    }

    private void suspect() {
        for (SimulatedNode each : cluster.nodes) {
            boolean isLive = cluster.metadata.newest().isLive(each.name);
            boolean isSuspect =
                    !each.isAlive || (each.isCutOff && cluster.random.nextBoolean()) || cluster.random.nextInt(20) == 0;
            if (isLive && isSuspect) {
                cluster.metadata.command(new ClusterCommand.NodeDown(
                        each.name, cluster.metadata.newest().node(each.name).boot()));
            }
        }
    }

    /** A leader may find a mirror late at any time: it has to join again. */
    private void shrink(SimulatedNode node) {
        QueuePlacement placement = cluster.metadata.newest().placement(SimulatedCluster.QUEUE);
        if (placement != null && placement.leader() != null && !placement.isLedBy(node.name)) {
            cluster.metadata.command(new ClusterCommand.Shrink(
                    List.of(new ClusterCommand.Shrink.Step(placement.incarnation(), node.name, placement.epoch()))));
        }
    }

    private void move(SimulatedNode to) {
        QueuePlacement placement = cluster.metadata.newest().placement(SimulatedCluster.QUEUE);
        if (placement != null) {
            cluster.metadata.command(new ClusterCommand.Move(List.of(new ClusterCommand.Move.Step(
                    placement.incarnation(), to.name, placement.epoch(), placement.version()))));
        }
    }

    private void change(SimulatedNode node) {
        QueuePlacement placement = cluster.metadata.newest().placement(SimulatedCluster.QUEUE);
        if (placement == null) {
            cluster.metadata.command(cluster.declare());
        } else if (cluster.hasQueueChanges && cluster.random.nextInt(6) == 0) {
            cluster.metadata.command(new ClusterCommand.Delete(List.of(placement.incarnation())));
            cluster.metadata.command(cluster.declare());
            cluster.coverage.deletes++;
        } else if (cluster.random.nextInt(8) == 0) {
            cluster.metadata.command(
                    new ClusterCommand.RaiseGeneration(cluster.metadata.newest().generation() + 1));
        } else if (cluster.hasPolicyChanges) {
            if (cluster.random.nextInt(3) == 0) {
                cluster.toggleSynchronisation();
                cluster.nodes.stream()
                        .filter(each -> each.replica != null && each.replica.leader != null)
                        .forEach(each -> each.inBatch(() -> each.replica.leader.configure(cluster.settings())));
            }
            cluster.metadata.command(new ClusterCommand.RemoveReplica(List.of(new ClusterCommand.RemoveReplica.Step(
                    placement.incarnation(), node.name, placement.version(), cluster.random.nextInt(10) == 0))));
        }
        cluster.addMissing();
    }

    /** Fails where it hurts: the in-sync set or the leader has just changed. */
    void failNow(@Nullable QueuePlacement placement) {
        cluster.trace(() -> "FAULT at a turning point");
        SimulatedNode leader = placement == null || placement.leader() == null
                ? null
                : cluster.nodes.get(SimulatedMetadata.number(cluster.metadata.newest(), placement.leader()) - 1);
        int kind = cluster.random.nextInt(3);
        if (kind == 0 || leader == null) {
            cluster.nodes.stream().filter(each -> each.isAlive).forEach(SimulatedNode::crash);
        } else if (kind == 1 && leader.isAlive) {
            leader.crash();
            cluster.metadata.command(new ClusterCommand.NodeDown(leader.name, leader.boot));
        } else {
            // The leader does not hear of it, and its mirrors ask for new sessions.
            leader.isCutOff = true;
            cluster.nodes.stream()
                    .filter(each -> each != leader)
                    .forEach(each -> cluster.network.reset(leader.index(), each.index()));
        }
    }
}
