package io.leveret.admin.node;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.ClusterMutations;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.security.Needs;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Answers;
import io.leveret.admin.web.Api;
import io.leveret.admin.web.ApiProblem;
import io.leveret.admin.web.Json;
import io.leveret.admin.web.ListQuery;
import io.leveret.model.view.FeatureView;
import io.leveret.model.view.NodeView;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Set;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** /api/nodes and the health checks, which answer 200 or 503. */
@Api
class NodeApi {
    private final BrokerQueries queries;
    private final BrokerCommands commands;

    NodeApi(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    @GetMapping("/nodes")
    @Needs(Tag.MONITORING)
    Object nodes(HttpServletRequest request) {
        return ListQuery.whole(request)
                .apply(queries.list(ControlPath.of("nodes"), NodeView.class).stream()
                        .map(node -> shown(node, false))
                        .toList());
    }

    @GetMapping("/nodes/{name}")
    @Needs(Tag.MONITORING)
    Object node(@PathVariable String name, HttpServletRequest request) {
        return ListQuery.columns(request, shown(find(name), "true".equals(request.getParameter("memory"))));
    }

    @GetMapping("/nodes/{name}/memory")
    @Needs(Tag.MONITORING)
    Object memory(@PathVariable String name) {
        Map<String, Object> memory = find(name).memory();
        return Map.of("memory", memory == null ? "not_available" : memory);
    }

    private NodeView find(String name) {
        return ApiProblem.found(queries.find(ControlPath.of("nodes", name), NodeView.class));
    }

    /** A node as clients of the HTTP API know it: its counters beside its figures. */
    private static JsonNode shown(NodeView node, boolean withMemory) {
        ObjectNode shown = (ObjectNode) Json.tree(node);
        if (shown.remove("counters") instanceof ObjectNode counters) {
            shown.setAll(counters);
        }
        if (!withMemory) {
            shown.remove("memory");
        }
        return shown;
    }

    @GetMapping("/feature-flags")
    @Needs(Tag.ADMINISTRATOR)
    Object features() {
        return queries.list(ControlPath.of("feature-flags"), FeatureView.class);
    }

    @PostMapping("/rebalance/queues")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> rebalance() {
        return Answers.of(commands.apply(ClusterMutations.rebalance()));
    }

    @GetMapping("/aliveness-test/{vhost}")
    Object aliveness(@PathVariable String vhost) {
        return health(ControlPath.of("aliveness-test", vhost));
    }

    @GetMapping("/healthchecks/node")
    Object nodeHealth() {
        return health(ControlPath.of("healthchecks", "node"));
    }

    @GetMapping("/healthchecks/node/{name}")
    Object nodeHealth(@PathVariable String name) {
        return health(ControlPath.of("healthchecks", "node", name));
    }

    @GetMapping(
            "/health/checks/{check:alarms|local-alarms|virtual-hosts|node-is-mirror-sync-critical|node-is-quorum-critical}")
    Object health(@PathVariable String check) {
        return health(ControlPath.of("health", "checks", check));
    }

    @GetMapping("/health/checks/port-listener/{port}")
    Object portListener(@PathVariable String port) {
        if (!port.matches("[0-9]{1,5}")) {
            throw ApiProblem.badRequest("Invalid port");
        }
        return health(ControlPath.of("health", "checks", "port-listener", port));
    }

    @GetMapping("/health/checks/protocol-listener/{protocol}")
    Object protocolListener(@PathVariable String protocol) {
        return health(ControlPath.of("health", "checks", "protocol-listener", protocol));
    }

    @GetMapping("/health/checks/certificate-expiration/{within}/{unit}")
    Object certificateExpiration(@PathVariable String within, @PathVariable String unit) {
        if (!within.matches("[0-9]{1,5}")) {
            throw ApiProblem.badRequest("Invalid expiration value.");
        }
        if (!Set.of("days", "weeks", "months", "years").contains(unit)) {
            throw ApiProblem.badRequest("Time unit not recognised. Use: days, weeks, months, years.");
        }
        return health(ControlPath.of("health", "checks", "certificate-expiration", within, unit));
    }

    private Object health(ControlPath path) {
        return queries.get(path, Map.class);
    }
}
