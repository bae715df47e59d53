package io.leveret.admin.queue;

import io.leveret.admin.web.Json;
import io.leveret.model.view.QueueView;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** A queue without statistics ({@code disable_stats}), with its totals if {@code enable_queue_totals} is given as well. */
final class WithoutStatistics {
    private static final List<String> PLAIN = List.of(
            "arguments",
            "auto_delete",
            "durable",
            "exclusive",
            "name",
            "node",
            "policy",
            "slave_nodes",
            "state",
            "synchronised_slave_nodes",
            "type",
            "vhost");
    private static final List<String> TOTALS = List.of("messages", "messages_ready", "messages_unacknowledged");

    private WithoutStatistics() {}

    static boolean isWanted(HttpServletRequest request) {
        return "true".equals(request.getParameter("disable_stats"));
    }

    static boolean isWithTotals(HttpServletRequest request) {
        return "true".equals(request.getParameter("enable_queue_totals"));
    }

    static JsonNode of(QueueView queue, HttpServletRequest request) {
        JsonNode all = Json.tree(queue);
        ObjectNode some = JsonNodeFactory.instance.objectNode();
        PLAIN.forEach(key -> copy(all, some, key));
        if (isWithTotals(request)) {
            TOTALS.forEach(key -> copy(all, some, key));
        }
        return some;
    }

    private static void copy(JsonNode from, ObjectNode to, String key) {
        JsonNode value = from.get(key);
        if (value != null && !value.isNull()) {
            to.set(key, value);
        }
    }
}
