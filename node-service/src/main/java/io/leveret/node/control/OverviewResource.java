package io.leveret.node.control;

import io.leveret.model.NodeName;
import io.leveret.model.view.CounterSet;
import io.leveret.model.view.FeatureView;
import io.leveret.model.view.ListenerView;
import io.leveret.model.view.NamedFeature;
import io.leveret.model.view.NodeFigures;
import io.leveret.model.view.NodeView;
import io.leveret.model.view.OverviewView;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.ClusterNode;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.control.ClusterView.Selection;
import io.leveret.node.metrics.NodeReport;
import io.leveret.node.metrics.NodeReport.Part;
import io.leveret.node.metrics.NodeTotals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The cluster at a glance, its nodes, and what concerns all of it. */
final class OverviewResource {
    /** The RabbitMQ version whose interfaces are spoken. */
    static final String COMPATIBLE_VERSION = "3.10.8";

    static final String PRODUCT = "Leveret";

    private static final List<NamedFeature> EXCHANGE_TYPES = List.of(
            new NamedFeature("direct", "AMQP direct exchange, as per the AMQP specification", true),
            new NamedFeature("fanout", "AMQP fanout exchange, as per the AMQP specification", true),
            new NamedFeature("headers", "AMQP headers exchange, as per the AMQP specification", true),
            new NamedFeature("topic", "AMQP topic exchange, as per the AMQP specification", true));
    private static final List<FeatureView> FEATURES = List.of(
            feature("classic_mirrored_queue_version", "Support setting version for classic mirrored queues"),
            feature("drop_unroutable_metric", "Count unroutable publishes to be dropped in stats"),
            feature("empty_basic_get_metric", "Count AMQP `basic.get` on empty queues in stats"),
            feature(
                    "implicit_default_bindings",
                    "Default bindings are now implicit, instead of being stored in the database"),
            feature("maintenance_mode_status", "Maintenance mode status"),
            feature("user_limits", "Configure connection and channel limits for a user"),
            feature("virtual_host_metadata", "Virtual host metadata (description, tags, etc)"));

    private final Resources resources;

    OverviewResource(Resources resources) {
        this.resources = resources;
    }

    void addTo(Routes routes) {
        routes.add("GET", "overview", this::overview)
                .add("GET", "nodes", request -> Answer.of(nodes()))
                .add("GET", "nodes/{}", this::node)
                .add("DELETE", "nodes/{}", this::forget)
                .add("GET", "feature-flags", request -> Answer.of(FEATURES))
                .add("POST", "rebalance/queues", this::rebalance);
    }

    private static FeatureView feature(String name, String description) {
        return new FeatureView(name, description, "", "enabled", "stable", "rabbit");
    }

    private Answer overview(ControlRequest request) {
        return Answer.of(overview(request.flag("disable_stats")));
    }

    private OverviewView overview(boolean isPlain) {
        ClusterView cluster = resources.cluster();
        ControlScope scope = cluster.scope();
        ClusterImage image = cluster.image();
        List<NodeReport> reports = isPlain ? List.of() : cluster.reports(Set.of(Part.TOTALS, Part.NODE), Selection.ALL);
        NodeTotals totals = Totals.sum(reports);
        return new OverviewView(
                COMPATIBLE_VERSION,
                "basic",
                Map.of(
                        "global",
                        List.of(600, 3600, 28800, 86400),
                        "basic",
                        List.of(600, 3600),
                        "detailed",
                        List.of(600)),
                EXCHANGE_TYPES,
                scope.version(),
                PRODUCT,
                COMPATIBLE_VERSION,
                ParameterResource.clusterName(image.definitions()),
                Runtime.version().toString(),
                "Java " + Runtime.version(),
                false,
                false,
                totals.stats(),
                churn(reports),
                totals.queues(),
                new OverviewView.ObjectTotals(
                        totals.connections(),
                        totals.channels(),
                        image.definitions().vhosts().keySet().stream()
                                .mapToInt(vhost ->
                                        image.definitions().exchanges(vhost).size())
                                .sum(),
                        image.placements().size(),
                        totals.consumers()),
                0,
                scope.store().localNode().value(),
                isPlain ? List.of() : listeners(cluster, image),
                List.of());
    }

    static <T> List<T> all(List<NodeReport> reports, Function<NodeReport, @Nullable List<T>> part) {
        List<T> list = new ArrayList<>();
        for (NodeReport report : reports) {
            List<T> some = part.apply(report);
            if (some != null) {
                list.addAll(some);
            }
        }
        return list;
    }

    private static @Nullable CounterSet churn(List<NodeReport> reports) {
        CounterSet sum = null;
        for (NodeReport report : reports) {
            CounterSet each = report.churn();
            if (each != null) {
                sum = sum == null ? each : sum.plus(each);
            }
        }
        return sum;
    }

    /** The ports of the nodes that answer. */
    static List<ListenerView> listeners(ClusterView cluster, ClusterImage image) {
        List<ListenerView> list = new ArrayList<>(cluster.scope().listeners());
        NodeName self = cluster.scope().store().localNode();
        List<NodeName> others = image.nodes().values().stream()
                .filter(ClusterNode::isLive)
                .map(ClusterNode::name)
                .filter(node -> !node.equals(self))
                .toList();
        cluster.glances(others, "/node/listeners")
                .values()
                .forEach(told -> told.forEach(each -> list.add(Json.convert(each, ListenerView.class))));
        return list;
    }

    private List<NodeView> nodes() {
        ClusterView cluster = resources.cluster();
        ClusterImage image = cluster.image();
        Map<String, NodeReport> reports = new HashMap<>();
        cluster.reports(Set.of(Part.NODE), Selection.ALL).forEach(report -> reports.put(report.node(), report));
        Map<NodeName, int[]> counts = new HashMap<>();
        for (QueuePlacement placement : image.placements().values()) {
            for (NodeName node : placement.nodes()) {
                counts.computeIfAbsent(node, key -> new int[2])[placement.isLedBy(node) ? 0 : 1]++;
            }
        }
        List<NodeView> list = new ArrayList<>();
        for (ClusterNode node : image.nodes().values()) {
            list.add(view(node, reports.get(node.name().value()), counts.getOrDefault(node.name(), new int[2])));
        }
        return list;
    }

    private NodeView view(ClusterNode node, @Nullable NodeReport report, int[] counts) {
        ControlScope scope = resources.scope();
        boolean isSelf = node.name().equals(scope.store().localNode());
        NodeFigures figures = report == null ? null : report.figures();
        return new NodeView(
                node.name().value(),
                "disc",
                node.isLive() && (isSelf || report != null),
                List.of(),
                figures,
                node.isWitness() ? "witness" : "broker",
                report == null ? null : report.version(),
                isSelf && scope.store().isRaftLeader(),
                report != null && report.isPaused(),
                counts[0],
                counts[1],
                report == null ? null : counters(report),
                report == null ? null : report.memory());
    }

    private static @Nullable CounterSet counters(NodeReport report) {
        CounterSet process = report.counters();
        CounterSet churn = report.churn();
        return process == null || churn == null ? churn : process.plus(churn);
    }

    private Answer node(ControlRequest request) {
        return Answer.of(nodes().stream()
                .filter(node -> node.name().equals(request.part(0)))
                .findFirst()
                .orElseThrow(ControlRefusal::notFound));
    }

    private Answer forget(ControlRequest request) {
        NodeName node = new NodeName(request.part(0));
        ClusterImage image = resources.cluster().image();
        if (image.node(node) == null) {
            throw ControlRefusal.notFound();
        }
        if (image.isLive(node)) {
            throw ControlRefusal.badRequest("the node is running");
        }
        Waiting.agreed(resources.writable().store().propose(new ClusterCommand.ForgetNode(node)));
        return Answer.done();
    }

    private Answer rebalance(ControlRequest request) {
        resources.writable().planner().rebalance();
        return Answer.done();
    }
}
