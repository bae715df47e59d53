package io.leveret.ctl;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The verb cluster_status. */
final class ClusterStatus {
    private static final String NO_MAINTENANCE = "not under maintenance";

    private final Call call;
    private final JsonNode nodes;
    private final JsonNode overview;
    private final JsonNode features;

    private ClusterStatus(Call call) {
        this.call = call;
        this.nodes = call.client().get("/nodes");
        this.overview = call.client().get("/overview");
        this.features = call.client().get("/feature-flags");
    }

    static void print(Call call) {
        if (call.formatter().equals("csv")) {
            throw new UsageFailure("Error (argument validation): this command has no form in csv");
        }
        ClusterStatus status = new ClusterStatus(call);
        if (call.isJson()) {
            call.print(status.json().toString());
        } else {
            status.text();
        }
    }

    private List<JsonNode> running() {
        return list(nodes, ClusterStatus::isRunning);
    }

    private static boolean isRunning(JsonNode node) {
        return node.path("running").asBoolean(false);
    }

    private static List<JsonNode> list(JsonNode array, Predicate<JsonNode> which) {
        return StreamSupport.stream(array.spliterator(), false).filter(which).toList();
    }

    private static String name(JsonNode node) {
        return node.path("name").asString("");
    }

    private void text() {
        call.say("Cluster status of node " + call.node() + " ...");
        section("Basics", "Cluster name: " + overview.path("cluster_name").asString(""));
        section(
                "Disk Nodes",
                list(nodes, node -> true).stream().map(ClusterStatus::name).collect(lines()));
        section("Running Nodes", running().stream().map(ClusterStatus::name).collect(lines()));
        section(
                "Versions",
                running().stream()
                        .map(node -> name(node) + ": RabbitMQ "
                                + overview.path("rabbitmq_version").asString("") + " on "
                                + runtime())
                        .collect(lines()));
        section(
                "Maintenance status",
                running().stream()
                        .map(node -> "Node: " + name(node) + ", status: " + NO_MAINTENANCE)
                        .collect(lines()));
        section("Alarms", AlarmLines.text(nodes));
        section("Network Partitions", orNone(partitions()));
        section(
                "Listeners",
                list(overview.path("listeners"), listener -> true).stream()
                        .map(listener -> "Node: " + listener.path("node").asString("") + ", "
                                + ListenerLines.text("interface", listener))
                        .collect(lines()));
        call.print("\u001b[1mFeature flags\u001b[0m\n");
        features.forEach(flag -> call.print(
                "Flag: " + name(flag) + ", state: " + flag.path("state").asString("")));
    }

    private String runtime() {
        return "Leveret " + overview.path("product_version").asString("");
    }

    private String partitions() {
        return list(nodes, node -> !node.path("partitions").isEmpty()).stream()
                .map(node -> "Node " + name(node) + " cannot communicate with "
                        + node.path("partitions").values().stream()
                                .map(other -> other.asString(""))
                                .collect(Collectors.joining(", ")))
                .collect(lines());
    }

    private static String orNone(String text) {
        return text.isEmpty() ? "(none)" : text;
    }

    private static Collector<CharSequence, ?, String> lines() {
        return Collectors.joining("\n");
    }

    private void section(String heading, String text) {
        call.print("\u001b[1m" + heading + "\u001b[0m\n\n" + text + "\n");
    }

    private ObjectNode json() {
        ObjectNode json = Texts.NODES.objectNode();
        json.set("alarms", AlarmLines.json(nodes));
        json.set("cluster_name", overview.path("cluster_name"));
        json.set(
                "disk_nodes",
                Texts.of(list(nodes, node -> true).stream()
                        .map(ClusterStatus::name)
                        .toList()));
        json.set("feature_flags", features);
        ObjectNode listeners = Texts.NODES.objectNode();
        ObjectNode maintenance = Texts.NODES.objectNode();
        ObjectNode versions = Texts.NODES.objectNode();
        ObjectNode partitions = Texts.NODES.objectNode();
        for (JsonNode node : running()) {
            var own = Texts.NODES.arrayNode();
            list(
                            overview.path("listeners"),
                            each -> each.path("node").asString("").equals(name(node)))
                    .forEach(each -> own.add(ListenerLines.json(each)));
            listeners.set(name(node), own);
            maintenance.put(name(node), NO_MAINTENANCE);
            versions.set(
                    name(node),
                    Texts.NODES
                            .objectNode()
                            .put(
                                    "erlang_version",
                                    overview.path("erlang_version").asString(""))
                            .put("rabbitmq_name", "Leveret")
                            .put(
                                    "rabbitmq_version",
                                    overview.path("rabbitmq_version").asString("")));
            if (!node.path("partitions").isEmpty()) {
                partitions.set(name(node), node.path("partitions"));
            }
        }
        json.set("listeners", listeners);
        json.set("maintenance_status", maintenance);
        json.set("partitions", partitions);
        json.set("ram_nodes", Texts.NODES.arrayNode());
        json.set(
                "running_nodes",
                Texts.of(running().stream().map(ClusterStatus::name).toList()));
        json.set("versions", versions);
        return json;
    }
}
