package io.leveret.node.cluster.metadata;

import java.time.Duration;

/**
 * Decides whether this node belongs to a majority: it does until it has seen no Raft leader for pause-after, and then again
 * when it sees one and has caught up with it. A Raft leader that loses its majority steps down by itself. One thread.
 */
final class MajorityWatch {
    private final long pauseNanos;
    private long lastSeen;
    private volatile boolean hasMajority;

    MajorityWatch(Duration pauseAfter, long now) {
        this.pauseNanos = pauseAfter.toNanos();
        this.lastSeen = now;
    }

    boolean hasMajority() {
        return hasMajority;
    }

    /** True when the majority is lost by this observation. */
    boolean isLostBy(long now, boolean seesLeader) {
        if (seesLeader) {
            lastSeen = now;
        } else if (hasMajority && now - lastSeen >= pauseNanos) {
            hasMajority = false;
            return true;
        }
        return false;
    }

    /** A read that needed a majority came back. True when this node had none before. */
    boolean isFoundBy(long now) {
        lastSeen = now;
        boolean isFound = !hasMajority;
        hasMajority = true;
        return isFound;
    }
}
