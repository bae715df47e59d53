package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import io.leveret.node.broker.definitions.MirroringPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The next placement of one queue in the making: the effects of PROTOCOL.md §2, most of all <i>left(n)</i>. Reads liveness and
 * policy from the edit it belongs to, so nodes are changed before their queues. Making one raises the version. One thread.
 */
final class PlacementEdit {
    /** Why a leader is gone. */
    enum Cause {
        FAILURE,
        STOP
    }

    private final ClusterEdit cluster;
    private final QueuePlacement before;
    private final boolean isDurable;
    private final long version;
    private long epoch;
    private @Nullable NodeName leader;
    private boolean isOpened;
    private long lossyEpoch;
    private boolean isStopped;
    private final List<Replica> replicas;
    private boolean isLost;

    PlacementEdit(ClusterEdit cluster, QueuePlacement before) {
        this.cluster = cluster;
        this.before = before;
        this.isDurable = cluster.isDurable(before.queue());
        this.version = cluster.next(before.version());
        this.epoch = before.epoch();
        this.leader = before.leader();
        this.isOpened = before.isOpened();
        this.lossyEpoch = before.lossyEpoch();
        this.isStopped = before.isStopped();
        this.replicas = new ArrayList<>(before.replicas());
    }

    /** Puts the result into the image, unless the queue is lost: the caller deletes it then. */
    void finish() {
        if (!isLost) {
            cluster.put(new QueuePlacement(
                    before.queue(),
                    before.incarnation(),
                    epoch,
                    leader,
                    version,
                    isOpened,
                    lossyEpoch,
                    isStopped,
                    List.copyOf(replicas)));
        }
    }

    /** True for a queue that is not durable and of which no live replica is left: nothing of it can come back. */
    boolean isLost() {
        return isLost;
    }

    void open() {
        isOpened = true;
        replicas.replaceAll(each -> each.withHolder(each.isInSync()));
    }

    void join(NodeName node) {
        change(node, each -> each.withInSync(true).withHolder(true));
    }

    /** The leader goes on without this member of the in-sync set. */
    void leave(NodeName node) {
        boolean staysHolder = !isOpened;
        change(node, each -> each.left(version).withHolder(staysHolder && each.isHolder()));
    }

    void move(NodeName to) {
        lead(to, Promotion.Kind.MOVED);
    }

    void merged(NodeName node) {
        change(node, each -> each.withAbandoned(false));
    }

    void add(NodeName node) {
        replicas.add(new Replica(node, version, 0, false, false, false));
    }

    void remove(NodeName node) {
        replicas.removeIf(each -> each.node().equals(node));
        if (replicas.isEmpty()) {
            isLost = true;
        }
    }

    /** The node's disk is empty, or its copy of the queue is unusable: what it held and proved counts nothing now. */
    void wipe(NodeName node) {
        change(node, each -> new Replica(node, version, 0, false, false, false));
    }

    /** A node was lost or stopped; it is recorded as not live. */
    void down(NodeName node, Cause cause) {
        if (node.equals(leader)) {
            isStopped = cause == Cause.STOP;
            leaderLeft(node);
        } else if (leader != null && before.isInSync(node)) {
            leave(node);
        }
    }

    /** A node came up with a new boot; its memory is gone. */
    void restarted(NodeName node) {
        if (node.equals(leader)) {
            isStopped = false;
            leaderLeft(node);
        } else if (leader == null) {
            findLeader(node);
        } else if (replica(node).isInSync()) {
            leave(node);
        }
    }

    /** A node that was recorded as down is there again, in the boot in which it went. */
    void returned(NodeName node) {
        if (leader != null) {
            return;
        }
        if (replica(node).isInSync()) {
            leaveAllBut(node);
            lead(node, Promotion.Kind.CLEAN);
        } else {
            findLeader(null);
        }
    }

    /** A node is struck out for good while nobody leads: an operator has decided. */
    void findLeaderByForce() {
        if (!revive(replica -> replica.isHolder() && isDurable, Promotion.Kind.RECOVERED)) {
            force();
        }
    }

    /** Rule 3 whatever the policy says. False when no replica is live. */
    boolean force() {
        return leadUnclean(null, Promotion.Kind.FORCED);
    }

    /** The part of left(n) for a leader: the first of the four rules that applies. */
    private void leaderLeft(NodeName gone) {
        isOpened = false;
        for (Replica each : replicas) {
            if (each.isInSync() && !each.node().equals(gone) && cluster.isLive(each.node())) {
                if (replica(gone).isInSync()) {
                    change(gone, replica -> replica.left(version));
                }
                lead(each.node(), Promotion.Kind.CLEAN);
                return;
            }
        }
        leader = null;
        findLeader(gone);
        if (leader == null && !isLost) {
            lead(null, Promotion.Kind.NONE);
        }
    }

    /**
     * Rules 2 to 4.
     *
     * @param restarted the node that just lost its memory or went away; of a queue that is not durable it holds nothing
     */
    private void findLeader(@Nullable NodeName restarted) {
        if (isDurable && revive(Replica::isHolder, Promotion.Kind.RECOVERED)) {
            return;
        }
        NodeName empty = isDurable ? null : restarted;
        if (isUncleanAllowed() && leadUnclean(empty, Promotion.Kind.UNCLEAN)) {
            return;
        }
        isLost = !isDurable;
    }

    private boolean isUncleanAllowed() {
        MirroringPolicy policy = cluster.mirroring(before.queue());
        boolean onFailure = policy == null || policy.isPromotedOnFailure();
        boolean onStop = policy != null && policy.isPromotedOnShutdown();
        return onFailure && (!isStopped || onStop);
    }

    private boolean revive(Predicate<Replica> candidate, Promotion.Kind kind) {
        for (Replica each : replicas) {
            if (candidate.test(each) && cluster.isLive(each.node())) {
                leadLossy(each.node(), kind);
                return true;
            }
        }
        return false;
    }

    private boolean leadUnclean(@Nullable NodeName empty, Promotion.Kind kind) {
        Replica best = null;
        for (Replica each : replicas) {
            boolean isCandidate = cluster.isLive(each.node()) && !each.node().equals(empty);
            if (isCandidate && (best == null || each.leftAt() > best.leftAt())) {
                best = each;
            }
        }
        if (best == null) {
            return false;
        }
        leadLossy(best.node(), kind);
        NodeName only = best.node();
        replicas.replaceAll(each -> each.withHolder(each.node().equals(only)));
        return true;
    }

    /** One replica is all that is trusted; the others may hold what is lost here, and are asked when they come. */
    private void leadLossy(NodeName node, Promotion.Kind kind) {
        leaveAllBut(node);
        change(node, each -> each.withInSync(true));
        replicas.replaceAll(each -> each.withAbandoned(!each.node().equals(node)));
        lead(node, kind);
        lossyEpoch = epoch;
    }

    private void leaveAllBut(NodeName node) {
        replicas.replaceAll(each -> each.isInSync() && !each.node().equals(node) ? each.left(version) : each);
    }

    private void lead(@Nullable NodeName node, Promotion.Kind kind) {
        epoch = cluster.next(epoch);
        isOpened = false;
        leader = node;
        cluster.tell(new Promotion(before.queue(), before.incarnation(), kind, before.leader(), node, epoch));
    }

    private Replica replica(NodeName node) {
        for (Replica each : replicas) {
            if (each.node().equals(node)) {
                return each;
            }
        }
        throw new IllegalStateException("no replica of " + before.queue() + " on " + node);
    }

    private void change(NodeName node, UnaryOperator<Replica> change) {
        replicas.replaceAll(each -> Objects.equals(each.node(), node) ? change.apply(each) : each);
    }
}
