package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import io.leveret.node.broker.definitions.DefinitionChange;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * One entry of the metadata log: PROTOCOL.md §2. Queues are named by their incarnation. A command over several queues takes
 * effect for each of them that fits, and is refused as stale when none does.
 */
public sealed interface ClusterCommand {
    /** A change of definitions that places nothing. A queue is declared by {@link Declare}. */
    record Define(DefinitionChange change) implements ClusterCommand {}

    /**
     * Declares a queue and places it.
     *
     * @param replicas the leader first; those that cannot hold a queue when this is applied are left out
     */
    record Declare(DefinitionChange.DeclareQueue change, List<NodeName> replicas) implements ClusterCommand {}

    /** What a cluster is born with. Takes effect once; later ones change nothing. */
    record Form(List<DefinitionChange> changes) implements ClusterCommand {}

    /**
     * A node is there; proposed by itself at its start, and when it sees that it is recorded as down.
     *
     * @param damaged incarnations of queues whose local replica is unusable
     */
    record NodeUp(NodeName node, long boot, UUID storeId, boolean isWitness, Set<Long> damaged)
            implements ClusterCommand {}

    /** A node was lost. */
    record NodeDown(NodeName node, long boot) implements ClusterCommand {}

    /** A node stops in good order. */
    record NodeLeaving(NodeName node, long boot) implements ClusterCommand {}

    /** A node takes no leader from now on, or does again. */
    record SetDraining(NodeName node, boolean isDraining) implements ClusterCommand {}

    /** A node that is down never comes back: its replicas are struck out, and queues that only it held are deleted. */
    record ForgetNode(NodeName node) implements ClusterCommand {}

    /** The leader took over, and may commit. */
    record Open(List<Step> steps) implements ClusterCommand {
        /** One queue. */
        public record Step(long incarnation, long epoch) {}
    }

    /** A mirror holds all that is committed. */
    record Join(List<Step> steps) implements ClusterCommand {
        /** One queue. */
        public record Step(long incarnation, NodeName node, long epoch, long version, long boot, long generation) {}
    }

    /** A mirror no longer keeps up. */
    record Shrink(List<Step> steps) implements ClusterCommand {
        /** One queue. */
        public record Step(long incarnation, NodeName node, long epoch) {}
    }

    /** Another member of the in-sync set leads from now on. */
    record Move(List<Step> steps) implements ClusterCommand {
        /** One queue. */
        public record Step(long incarnation, NodeName to, long epoch, long version) {}
    }

    /** What an abandoned replica had more than the leader is in the queue again. */
    record MergeDone(List<Step> steps) implements ClusterCommand {
        /** One queue. */
        public record Step(long incarnation, NodeName node, long epoch, long version) {}
    }

    /** A node gets an empty replica. */
    record AddReplica(List<Step> steps) implements ClusterCommand {
        /** One queue. */
        public record Step(long incarnation, NodeName node, long version) {}
    }

    /** A node gives up its replica, and removes its files. */
    record RemoveReplica(List<Step> steps) implements ClusterCommand {
        /**
         * One queue.
         *
         * @param isForced an operator accepts that what an abandoned replica holds is lost
         */
        public record Step(long incarnation, NodeName node, long version, boolean isForced) {}
    }

    /** Deletes exactly these lives of queues. */
    record Delete(List<Long> incarnations) implements ClusterCommand {}

    /**
     * Deletes lives of queues that nobody uses any more, as the leader of that epoch saw it: unused for as long as they may
     * be, or left by the last consumer.
     */
    record Expire(List<Step> steps) implements ClusterCommand {
        /** One queue. */
        public record Step(long incarnation, long epoch) {}
    }

    /** An operator lets the least behind of the live replicas lead, whatever the policy says. */
    record ForceLeader(long incarnation) implements ClusterCommand {}

    /** The first command after a lone survivor was made to lead: metadata may have lost commands, so ids start anew. */
    record RaiseGeneration(int generation) implements ClusterCommand {}
}
