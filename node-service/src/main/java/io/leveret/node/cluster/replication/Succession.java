package io.leveret.node.cluster.replication;

import io.leveret.model.NodeName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who is to lead the queue after this node, and the proposing of it when {@link HandOver} is ready: a certain member of the
 * in-sync set, if placement wants it, or any, if the node stops. Owned by the queue's executor.
 */
final class Succession {
    private final QueueHost host;
    private final ReplicaContext context;
    private @Nullable NodeName wanted;
    private volatile boolean isStopping;

    Succession(QueueHost host, ReplicaContext context) {
        this.host = host;
        this.context = context;
    }

    /** The node stops. */
    void stop(Leadership leading) {
        isStopping = true;
        leading.handOver().begin(context.clock.nanoTime(), true);
    }

    /** Placement wants that member. */
    void to(Leadership leading, NodeName member) {
        wanted = member;
        leading.handOver().begin(context.clock.nanoTime(), false);
    }

    /** Whether the node stops and there is somebody to wait for. Any thread. */
    boolean isStopping() {
        return isStopping;
    }

    /** After each batch, while a hand-over is under way. @param version of the placement as known here */
    void goOn(Leadership leading, long version) {
        NodeName to = successor();
        if (to == null) {
            isStopping = false;
        }
        if (leading.handOver().advance(context.clock.nanoTime(), to != null) && to != null) {
            context.proposals.move(host.incarnation(), to, leading.epoch(), version);
        }
        if (!leading.handOver().isUnderWay()) {
            wanted = null;
        }
    }

    private @Nullable NodeName successor() {
        List<NodeName> members = host.otherMembers();
        if (wanted != null && members.contains(wanted)) {
            return wanted;
        }
        return isStopping && !members.isEmpty() ? members.get(0) : null;
    }

    /** The leadership ended. */
    void ended() {
        isStopping = false;
        wanted = null;
    }
}
