package io.leveret.admin.vhost;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.LimitMutations;
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
import io.leveret.model.control.VhostDeclaration;
import io.leveret.model.view.PermissionView;
import io.leveret.model.view.TopicPermissionView;
import io.leveret.model.view.VhostLimitsView;
import io.leveret.model.view.VhostView;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;

/** /api/vhosts and /api/vhost-limits. */
@Api
class VhostApi {
    private final BrokerQueries queries;
    private final BrokerCommands commands;

    VhostApi(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    @GetMapping("/vhosts")
    Object vhosts(HttpServletRequest request, SignedInUser user) {
        List<VhostView> vhosts = queries.list(ControlPath.of("vhosts"), VhostView.class);
        return ListQuery.of(request).apply(Visible.in(vhosts, VhostView::name, user::mayList));
    }

    @GetMapping("/vhosts/{vhost}")
    Object vhost(@PathVariable String vhost, HttpServletRequest request) {
        return ListQuery.columns(request, ApiProblem.found(queries.find(VhostMutations.path(vhost), VhostView.class)));
    }

    @PutMapping("/vhosts/{vhost}")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> save(@PathVariable String vhost, @RequestBody(required = false) byte @Nullable [] body) {
        JsonBody fields = JsonBody.of(body);
        VhostDeclaration declaration = new VhostDeclaration(
                fields.has("description") ? fields.text("description", "") : null,
                fields.has("tags") ? fields.words("tags") : null,
                fields.has("tracing") ? Boolean.valueOf(fields.bool("tracing", false)) : null);
        return Answers.of(commands.apply(VhostMutations.save(vhost, declaration)));
    }

    @DeleteMapping("/vhosts/{vhost}")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> delete(@PathVariable String vhost) {
        return Answers.of(commands.apply(VhostMutations.delete(vhost)));
    }

    /** A vhost runs on every node that runs: there is nothing to start. */
    @PostMapping("/vhosts/{vhost}/start/{node}")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> start(@PathVariable String vhost, @PathVariable String node) {
        VhostView view =
                ApiProblem.found(queries.find(VhostMutations.path(vhost).withoutStatistics(), VhostView.class));
        if (!view.clusterState().containsKey(node)) {
            throw ApiProblem.badRequest("Request to node " + node + " failed with nodedown");
        }
        return ResponseEntity.noContent().build();
    }

    @GetMapping("/vhosts/{vhost}/permissions")
    @Needs(Tag.ADMINISTRATOR)
    Object permissions(@PathVariable String vhost) {
        return queries.list(VhostMutations.path(vhost).plus("permissions"), PermissionView.class);
    }

    @GetMapping("/vhosts/{vhost}/topic-permissions")
    @Needs(Tag.ADMINISTRATOR)
    Object topicPermissions(@PathVariable String vhost) {
        return queries.list(VhostMutations.path(vhost).plus("topic-permissions"), TopicPermissionView.class);
    }

    @GetMapping("/vhost-limits")
    Object limits(SignedInUser user) {
        List<VhostLimitsView> limits = queries.list(ControlPath.of("vhost-limits"), VhostLimitsView.class);
        return Visible.in(limits, VhostLimitsView::vhost, user::maySee);
    }

    @GetMapping("/vhost-limits/{vhost}")
    Object limits(@PathVariable String vhost) {
        return queries.list(ControlPath.of("vhost-limits", vhost), VhostLimitsView.class);
    }

    @PutMapping("/vhost-limits/{vhost}/{limit}")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> setLimit(
            @PathVariable String vhost,
            @PathVariable String limit,
            @RequestBody(required = false) byte @Nullable [] body) {
        Value value = new Value(JsonBody.of(body).require("value").get("value"));
        return Answers.of(commands.apply(LimitMutations.setOfVhost(vhost, limit, value)));
    }

    @DeleteMapping("/vhost-limits/{vhost}/{limit}")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> clearLimit(@PathVariable String vhost, @PathVariable String limit) {
        return Answers.of(commands.apply(LimitMutations.clearOfVhost(vhost, limit)));
    }
}
