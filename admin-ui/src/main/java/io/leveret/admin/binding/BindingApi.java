package io.leveret.admin.binding;

import io.leveret.admin.cluster.BindingMutations;
import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.security.SignedInUser;
import io.leveret.admin.web.Answers;
import io.leveret.admin.web.Api;
import io.leveret.admin.web.ApiProblem;
import io.leveret.admin.web.JsonBody;
import io.leveret.admin.web.ListQuery;
import io.leveret.admin.web.Visible;
import io.leveret.model.control.BindingDeclaration;
import io.leveret.model.view.BindingView;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;

/** /api/bindings: from an exchange to a queue (q) or to an exchange (e). */
@Api
class BindingApi {
    private final BrokerQueries queries;
    private final BrokerCommands commands;

    BindingApi(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    @GetMapping("/bindings")
    Object bindings(HttpServletRequest request, SignedInUser user) {
        List<BindingView> bindings = queries.list(ControlPath.of("bindings"), BindingView.class);
        return ListQuery.whole(request).apply(Visible.in(bindings, BindingView::vhost, user::maySee));
    }

    @GetMapping("/bindings/{vhost}")
    Object bindings(@PathVariable String vhost, HttpServletRequest request) {
        return ListQuery.whole(request).apply(queries.list(ControlPath.of("bindings", vhost), BindingView.class));
    }

    @GetMapping("/bindings/{vhost}/e/{source}/{kind:[eq]}/{destination}")
    Object bindings(
            @PathVariable String vhost,
            @PathVariable String source,
            @PathVariable String kind,
            @PathVariable String destination,
            HttpServletRequest request) {
        return ListQuery.whole(request)
                .apply(queries.list(BindingMutations.path(vhost, source, kind, destination), BindingView.class));
    }

    @PostMapping("/bindings/{vhost}/e/{source}/{kind:[eq]}/{destination}")
    ResponseEntity<Object> bind(
            @PathVariable String vhost,
            @PathVariable String source,
            @PathVariable String kind,
            @PathVariable String destination,
            @RequestBody(required = false) byte @Nullable [] body) {
        JsonBody binding = JsonBody.of(body);
        BindingDeclaration declaration =
                new BindingDeclaration(binding.text("routing_key", ""), binding.object("arguments"));
        return Answers.of(commands.apply(BindingMutations.bind(vhost, source, kind, destination, declaration)));
    }

    @GetMapping("/bindings/{vhost}/e/{source}/{kind:[eq]}/{destination}/{key}")
    Object binding(
            @PathVariable String vhost,
            @PathVariable String source,
            @PathVariable String kind,
            @PathVariable String destination,
            @PathVariable String key,
            HttpServletRequest request) {
        ControlPath path =
                BindingMutations.path(vhost, source, kind, destination).plus(key);
        return ListQuery.columns(request, ApiProblem.found(queries.find(path, BindingView.class)));
    }

    @DeleteMapping("/bindings/{vhost}/e/{source}/{kind:[eq]}/{destination}/{key}")
    ResponseEntity<Object> unbind(
            @PathVariable String vhost,
            @PathVariable String source,
            @PathVariable String kind,
            @PathVariable String destination,
            @PathVariable String key) {
        return Answers.of(commands.apply(BindingMutations.unbind(vhost, source, kind, destination, key)));
    }
}
