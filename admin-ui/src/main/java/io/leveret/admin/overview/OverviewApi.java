package io.leveret.admin.overview;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.ClusterMutations;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.security.Needs;
import io.leveret.admin.security.OpenToAll;
import io.leveret.admin.security.SignedInUser;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Answers;
import io.leveret.admin.web.Api;
import io.leveret.admin.web.Json;
import io.leveret.admin.web.JsonBody;
import io.leveret.admin.web.ListQuery;
import io.leveret.model.view.NamedView;
import io.leveret.model.view.OverviewView;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import tools.jackson.databind.node.ObjectNode;

/** /api/overview, the name of the cluster and what else clients ask for first. */
@Api
class OverviewApi {
    /** What only those who watch the cluster may see. */
    private static final List<String> OF_NODES = List.of("node", "listeners", "contexts");

    private final BrokerQueries queries;
    private final BrokerCommands commands;

    OverviewApi(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    @GetMapping("/overview")
    Object overview(HttpServletRequest request, SignedInUser user) {
        ObjectNode overview = (ObjectNode) Json.tree(queries.get(ControlPath.of("overview"), OverviewView.class));
        if (!user.has(Tag.MONITORING)) {
            OF_NODES.forEach(overview::remove);
        }
        return ListQuery.columns(request, overview);
    }

    @GetMapping("/cluster-name")
    Object clusterName() {
        return queries.get(ControlPath.of("cluster-name"), NamedView.class);
    }

    @PutMapping("/cluster-name")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> setClusterName(@RequestBody(required = false) byte @Nullable [] body) {
        String name = JsonBody.of(body).require("name").text("name", "");
        return Answers.of(commands.apply(ClusterMutations.rename(name)));
    }

    /** No part of ours adds scripts to the pages of others. */
    @GetMapping("/extensions")
    Object extensions() {
        return List.of();
    }

    /** How to log in: with a name and a password, not through a token service. */
    @GetMapping("/auth")
    @OpenToAll
    Object auth() {
        return Map.of("enable_uaa", false, "uaa_client_id", "", "uaa_location", "");
    }
}
