package io.leveret.admin.overview;

import io.leveret.admin.safety.Advice;
import io.leveret.admin.safety.CopyMark;
import io.leveret.admin.safety.QueueSafety;
import io.leveret.admin.web.Paths;
import io.leveret.model.view.NodeView;
import java.time.Clock;
import java.util.List;

/**
 * A queue that is not safe, against the nodes.
 *
 * @param cells one for each node, in their order
 */
public record RiskRow(QueueSafety safety, List<Cell> cells) {

    /** What a node has of the queue. */
    public record Cell(String kind, String text) {}

    static RiskRow of(QueueSafety safety, List<NodeView> nodes, Clock clock) {
        return new RiskRow(
                safety, nodes.stream().map(node -> cell(safety, node, clock)).toList());
    }

    public String name() {
        return safety.queue().name();
    }

    public String link() {
        return Paths.queue(safety.queue().vhost(), safety.queue().name());
    }

    public String rowClass() {
        return safety.verdict() == QueueSafety.Verdict.AT_RISK ? "risk" : "lost";
    }

    public String advice() {
        return Advice.of(safety);
    }

    private static Cell cell(QueueSafety safety, NodeView node, Clock clock) {
        return safety.replicas().stream()
                .filter(replica -> replica.node().equals(node.name()))
                .findFirst()
                .map(replica -> CopyMark.of(replica, clock))
                .map(mark -> new Cell(mark.kind(), mark.kind().equals("leader") ? "leads" : mark.words()))
                .orElse(new Cell("none", "no copy"));
    }
}
