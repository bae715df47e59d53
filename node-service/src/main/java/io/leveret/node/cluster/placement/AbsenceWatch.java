package io.leveret.node.cluster.placement;

import io.leveret.model.NodeName;
import io.leveret.node.cluster.metadata.ClusterCommand.NodeDown;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.ClusterNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares who is recorded as live with who is seen. Per recorded boot of a node:
 *
 * <pre>
 * unseen --seen--> seen --not seen for vanishedGrace--> due --reported--> unseen
 * unseen --not seen for unseenGrace, doubled by each report--> due
 * </pre>
 *
 * A node that is cut off from this one alone comes back by its own NodeUp each time it is reported; the doubling keeps the two
 * from quarrelling for ever. Owned by the controller. Bound: one entry per node.
 */
final class AbsenceWatch {
    private static final int DOUBLINGS_MAX = 5;

    private final Liveness liveness;
    private final NodeName self;
    private final long vanishedGrace;
    private final long unseenGrace;
    private final Map<NodeName, Watched> nodes = new HashMap<>();
    private boolean isAnyAbsent;

    private static final class Watched {
        final long boot;
        boolean isSeen;
        boolean isAbsent;
        long absentSince;
        int reports;

        Watched(long boot) {
            this.boot = boot;
        }
    }

    AbsenceWatch(Liveness liveness, NodeName self, Duration vanishedGrace, Duration unseenGrace) {
        this.liveness = liveness;
        this.self = self;
        this.vanishedGrace = vanishedGrace.toNanos();
        this.unseenGrace = unseenGrace.toNanos();
    }

    /** Nodes that are to be reported now. Called often, also where nothing is reported: who was seen counts. */
    List<NodeDown> look(ClusterImage image, long now) {
        List<NodeDown> due = new ArrayList<>();
        isAnyAbsent = false;
        nodes.keySet().retainAll(image.nodes().keySet());
        for (ClusterNode node : image.nodes().values()) {
            if (node.name().equals(self)) {
                continue;
            }
            Watched watched = nodes.get(node.name());
            if (watched == null || watched.boot != node.boot()) {
                watched = new Watched(node.boot());
                nodes.put(node.name(), watched);
            }
            if (isDue(watched, node, now)) {
                due.add(new NodeDown(node.name(), node.boot()));
            }
        }
        return due;
    }

    private boolean isDue(Watched watched, ClusterNode node, long now) {
        if (liveness.isAlive(node.name(), node.boot())) {
            watched.isSeen = true;
            watched.isAbsent = false;
            watched.reports = 0;
            return false;
        }
        if (!node.isLive()) {
            watched.isAbsent = false;
            return false;
        }
        isAnyAbsent = true;
        if (!watched.isAbsent) {
            watched.isAbsent = true;
            watched.absentSince = now;
        }
        long grace = watched.isSeen ? vanishedGrace : unseenGrace << Math.min(watched.reports, DOUBLINGS_MAX);
        return now - watched.absentSince >= grace;
    }

    /** The last look found a node that is recorded as live and not seen. */
    boolean isAnyAbsent() {
        return isAnyAbsent;
    }

    /** Whether a report still stands: the boot is recorded as live, and not seen. */
    boolean isStillAbsent(ClusterImage image, NodeDown report) {
        ClusterNode node = image.node(report.node());
        return node != null
                && node.isLive()
                && node.boot() == report.boot()
                && !liveness.isAlive(report.node(), report.boot());
    }

    /** The node was recorded as down because of a report. */
    void reported(NodeDown report) {
        Watched watched = nodes.get(report.node());
        if (watched != null && watched.boot == report.boot()) {
            watched.isSeen = false;
            watched.isAbsent = false;
            watched.reports++;
        }
    }
}
