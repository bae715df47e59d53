package io.leveret.admin.parameter;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Mutation;
import io.leveret.admin.security.Needs;
import io.leveret.admin.security.SignedInUser;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Answers;
import io.leveret.admin.web.Api;
import io.leveret.admin.web.ApiProblem;
import io.leveret.admin.web.JsonBody;
import io.leveret.admin.web.ListQuery;
import io.leveret.admin.web.Visible;
import io.leveret.model.control.Value;
import io.leveret.model.view.GlobalParameterView;
import io.leveret.model.view.ParameterView;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;

/** /api/parameters and /api/global-parameters. */
@Api
@Needs(Tag.POLICYMAKER)
class ParameterApi {
    private final BrokerQueries queries;
    private final BrokerCommands commands;

    ParameterApi(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    @GetMapping("/parameters")
    Object parameters(HttpServletRequest request, SignedInUser user) {
        return visible(ControlPath.of("parameters"), request, user);
    }

    @GetMapping("/parameters/{component}")
    Object parameters(@PathVariable String component, HttpServletRequest request, SignedInUser user) {
        return visible(ControlPath.of("parameters", component), request, user);
    }

    @GetMapping("/parameters/{component}/{vhost}")
    Object parameters(@PathVariable String component, @PathVariable String vhost) {
        return queries.list(ControlPath.of("parameters", component, vhost), ParameterView.class);
    }

    @GetMapping("/parameters/{component}/{vhost}/{name}")
    Object parameter(@PathVariable String component, @PathVariable String vhost, @PathVariable String name) {
        return ApiProblem.found(queries.find(path(component, vhost, name), ParameterView.class));
    }

    @PutMapping("/parameters/{component}/{vhost}/{name}")
    ResponseEntity<Object> save(
            @PathVariable String component,
            @PathVariable String vhost,
            @PathVariable String name,
            @RequestBody(required = false) byte @Nullable [] body) {
        Value value = new Value(JsonBody.of(body).require("value").get("value"));
        return Answers.of(commands.apply(
                Mutation.put(component + " parameter", vhost, name, path(component, vhost, name), value)));
    }

    @DeleteMapping("/parameters/{component}/{vhost}/{name}")
    ResponseEntity<Object> delete(
            @PathVariable String component, @PathVariable String vhost, @PathVariable String name) {
        return Answers.of(
                commands.apply(Mutation.delete(component + " parameter", vhost, name, path(component, vhost, name))));
    }

    @GetMapping("/global-parameters")
    Object globalParameters(HttpServletRequest request) {
        return ListQuery.of(request)
                .apply(queries.list(ControlPath.of("global-parameters"), GlobalParameterView.class));
    }

    @GetMapping("/global-parameters/{name}")
    Object globalParameter(@PathVariable String name) {
        return ApiProblem.found(queries.find(ControlPath.of("global-parameters", name), GlobalParameterView.class));
    }

    @PutMapping("/global-parameters/{name}")
    ResponseEntity<Object> saveGlobal(
            @PathVariable String name, @RequestBody(required = false) byte @Nullable [] body) {
        Value value = new Value(JsonBody.of(body).require("value").get("value"));
        return Answers.of(commands.apply(
                Mutation.put("global parameter", "", name, ControlPath.of("global-parameters", name), value)));
    }

    @DeleteMapping("/global-parameters/{name}")
    ResponseEntity<Object> deleteGlobal(@PathVariable String name) {
        return Answers.of(commands.apply(
                Mutation.delete("global parameter", "", name, ControlPath.of("global-parameters", name))));
    }

    private Object visible(ControlPath path, HttpServletRequest request, SignedInUser user) {
        List<ParameterView> parameters = queries.list(path, ParameterView.class);
        return ListQuery.of(request).apply(Visible.in(parameters, ParameterView::vhost, user::maySee));
    }

    private static ControlPath path(String component, String vhost, String name) {
        return ControlPath.of("parameters", component, vhost, name);
    }
}
