package io.leveret.ctl;

import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The verb status. */
final class NodeStatus {
    private static final double GIGA = 1_000_000_000.0;

    private NodeStatus() {}

    static void print(Call call) {
        ControlClient client = call.client();
        JsonNode node = client.get(ControlClient.path("nodes", call.node()));
        JsonNode overview = client.get("/overview");
        JsonNode nodes = client.get("/nodes");
        if (call.isJson()) {
            ObjectNode json = json(call, node, overview);
            json.set("alarms", AlarmLines.json(nodes));
            call.print(json.toString());
            return;
        }
        call.say("Status of node " + call.node() + " ...");
        runtime(call, node, overview);
        storage(call, node, nodes);
        totals(call, overview, client.get("/vhosts?disable_stats=true").size());
    }

    private static void runtime(Call call, JsonNode node, JsonNode overview) {
        call.print(heading("Runtime"));
        call.print("OS PID: " + node.path("os_pid").asString(""));
        call.print("OS: Linux");
        call.print("Uptime (seconds): " + node.path("uptime").asLong(0) / 1000);
        call.print("Is under maintenance?: false");
        call.print("RabbitMQ version: " + overview.path("rabbitmq_version").asString(""));
        call.print("Leveret version: " + node.path("version").asString(""));
        call.print("Node name: " + call.node());
        call.print("Runtime: " + overview.path("erlang_full_version").asString(""));
        call.print("Cluster heartbeat timeout (net_ticktime): "
                + node.path("net_ticktime").asInt(0));
    }

    private static void storage(Call call, JsonNode node, JsonNode nodes) {
        call.print("\n" + heading("Data directory"));
        call.print("Node data directory: " + node.path("db_dir").asString(""));
        call.print("\n" + heading("Alarms"));
        call.print(AlarmLines.text(nodes));
        call.print("\n" + heading("Memory"));
        call.print("Total memory used: " + gigabytes(node.path("mem_used")) + " gb");
        call.print(
                "Calculation strategy: " + node.path("mem_calculation_strategy").asString("rss"));
        call.print("Memory high watermark setting: computed to: " + gigabytes(node.path("mem_limit")) + " gb");
        call.print("\n" + heading("File Descriptors"));
        call.print("Total: " + node.path("fd_used") + ", limit: " + node.path("fd_total"));
        call.print("Sockets: " + node.path("sockets_used") + ", limit: " + node.path("sockets_total"));
        call.print("\n" + heading("Free Disk Space"));
        call.print("Low free disk space watermark: " + gigabytes(node.path("disk_free_limit")) + " gb");
        call.print("Free disk space: " + gigabytes(node.path("disk_free")) + " gb");
    }

    private static void totals(Call call, JsonNode overview, int vhosts) {
        call.print("\n" + heading("Totals"));
        call.print("Connection count: " + overview.path("object_totals").path("connections"));
        call.print("Queue count: " + overview.path("object_totals").path("queues"));
        call.print("Virtual host count: " + vhosts);
        call.print("\n" + heading("Listeners"));
        for (JsonNode listener : overview.path("listeners")) {
            if (listener.path("node").asString("").equals(call.node())) {
                call.print(ListenerLines.text("Interface", listener));
            }
        }
    }

    private static String heading(String words) {
        return "\u001b[1m" + words + "\u001b[0m\n";
    }

    private static String gigabytes(JsonNode bytes) {
        return String.format(Locale.ROOT, "%.4f", bytes.asDouble(0) / GIGA);
    }

    private static ObjectNode json(Call call, JsonNode node, JsonNode overview) {
        ObjectNode json = Texts.NODES.objectNode();
        json.put("data_directory", node.path("db_dir").asString(""));
        json.set("disk_free", node.path("disk_free"));
        json.set("disk_free_limit", node.path("disk_free_limit"));
        json.put("erlang_version", overview.path("erlang_full_version").asString(""));
        json.put("is_under_maintenance", false);
        var listeners = Texts.NODES.arrayNode();
        overview.path("listeners").values().stream()
                .filter(listener -> listener.path("node").asString("").equals(call.node()))
                .forEach(listener -> listeners.add(ListenerLines.json(listener)));
        json.set("listeners", listeners);
        json.set("net_ticktime", node.path("net_ticktime"));
        json.put("os", "Linux");
        json.put("pid", Long.parseLong("0" + node.path("os_pid").asString("")));
        json.put("product_name", "Leveret");
        json.put("product_version", node.path("version").asString(""));
        json.put("rabbitmq_version", overview.path("rabbitmq_version").asString(""));
        json.set(
                "totals",
                Texts.NODES
                        .objectNode()
                        .set("connection_count", overview.path("object_totals").path("connections")));
        json.put("uptime", node.path("uptime").asLong(0) / 1000);
        json.set("vm_memory_high_watermark_limit", node.path("mem_limit"));
        return json;
    }
}
