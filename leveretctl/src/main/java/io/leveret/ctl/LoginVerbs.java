package io.leveret.ctl;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Who tried to log in. */
final class LoginVerbs {
    private static final List<String> COUNTS =
            List.of("protocol", "auth_attempts", "auth_attempts_failed", "auth_attempts_succeeded");
    private static final List<String> COUNTS_BY_SOURCE = List.of(
            "remote_address",
            "username",
            "protocol",
            "auth_attempts",
            "auth_attempts_failed",
            "auth_attempts_succeeded");

    private LoginVerbs() {}

    static List<Verb> all() {
        return List.of(new Verb(
                "list_node_auth_attempt_stats",
                "Monitoring, observability and health checks",
                "Lists authentication attempts on the target node",
                "[--by-source]",
                List.of("--by-source"),
                0,
                0,
                LoginVerbs::list));
    }

    private static void list(Call call) {
        boolean isBySource = call.has("by-source");
        String path = ControlClient.path("auth", "attempts", call.node());
        JsonNode rows = call.client().get(isBySource ? path + "/source" : path);
        // The line break is part of what scripts know.
        call.say("Listing authentication\n attempts for node \"" + call.node() + "\" ...");
        if (rows.isEmpty()) {
            call.say("Node " + call.node() + " reported no authentication attempt stats");
            return;
        }
        Listing listing = new Listing(call, isBySource ? COUNTS_BY_SOURCE : COUNTS);
        rows.forEach(row -> {
            Map<String, JsonNode> shown = new HashMap<>();
            row.properties().forEach(each -> shown.put(each.getKey(), each.getValue()));
            listing.add(shown);
        });
        listing.printList();
    }
}
