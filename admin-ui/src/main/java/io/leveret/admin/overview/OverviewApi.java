package io.leveret.admin.overview;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Mutation;
import io.leveret.admin.security.Needs;
import io.leveret.admin.security.OpenToAll;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Answers;
import io.leveret.admin.web.Api;
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

/** /api/overview, the name of the cluster and what else clients ask for first. */
@Api
class OverviewApi {
    private final BrokerQueries queries;
    private final BrokerCommands commands;

    OverviewApi(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    @GetMapping("/overview")
    Object overview(HttpServletRequest request) {
        return ListQuery.columns(request, queries.get(ControlPath.of("overview"), OverviewView.class));
    }

    @GetMapping("/cluster-name")
    Object clusterName() {
        return queries.get(ControlPath.of("cluster-name"), NamedView.class);
    }

    @PutMapping("/cluster-name")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> setClusterName(@RequestBody(required = false) byte @Nullable [] body) {
        String name = JsonBody.of(body).require("name").text("name", "");
        return Answers.of(commands.apply(
                Mutation.put("cluster name", "", name, ControlPath.of("cluster-name"), new NamedView(name))));
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
