package io.leveret.admin.policy;

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
import io.leveret.model.view.PolicyView;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;

/** /api/policies and /api/operator-policies. The nodes judge a definition; here only its frame is checked. */
@Api
class PolicyApi {
    private static final String POLICIES = "policies";
    private static final String OPERATOR_POLICIES = "operator-policies";

    private final BrokerQueries queries;
    private final BrokerCommands commands;

    PolicyApi(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    @GetMapping("/policies")
    Object policies(HttpServletRequest request, SignedInUser user) {
        return all(POLICIES, request, user);
    }

    @GetMapping("/policies/{vhost}")
    Object policies(@PathVariable String vhost, HttpServletRequest request) {
        return ListQuery.whole(request).apply(queries.list(ControlPath.of(POLICIES, vhost), PolicyView.class));
    }

    @GetMapping("/policies/{vhost}/{name}")
    @Needs(Tag.POLICYMAKER)
    Object policy(@PathVariable String vhost, @PathVariable String name, HttpServletRequest request) {
        return one(POLICIES, vhost, name, request);
    }

    @PutMapping("/policies/{vhost}/{name}")
    @Needs(Tag.POLICYMAKER)
    ResponseEntity<Object> save(
            @PathVariable String vhost,
            @PathVariable String name,
            @RequestBody(required = false) byte @Nullable [] body) {
        return put(POLICIES, "policy", vhost, name, body);
    }

    @DeleteMapping("/policies/{vhost}/{name}")
    @Needs(Tag.POLICYMAKER)
    ResponseEntity<Object> delete(@PathVariable String vhost, @PathVariable String name) {
        return Answers.of(
                commands.apply(Mutation.delete("policy", vhost, name, ControlPath.of(POLICIES, vhost, name))));
    }

    @GetMapping("/operator-policies")
    Object operatorPolicies(HttpServletRequest request, SignedInUser user) {
        return all(OPERATOR_POLICIES, request, user);
    }

    @GetMapping("/operator-policies/{vhost}")
    Object operatorPolicies(@PathVariable String vhost, HttpServletRequest request) {
        return ListQuery.whole(request).apply(queries.list(ControlPath.of(OPERATOR_POLICIES, vhost), PolicyView.class));
    }

    @GetMapping("/operator-policies/{vhost}/{name}")
    @Needs(Tag.POLICYMAKER)
    Object operatorPolicy(@PathVariable String vhost, @PathVariable String name, HttpServletRequest request) {
        return one(OPERATOR_POLICIES, vhost, name, request);
    }

    @PutMapping("/operator-policies/{vhost}/{name}")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> saveOperatorPolicy(
            @PathVariable String vhost,
            @PathVariable String name,
            @RequestBody(required = false) byte @Nullable [] body) {
        return put(OPERATOR_POLICIES, "operator policy", vhost, name, body);
    }

    @DeleteMapping("/operator-policies/{vhost}/{name}")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> deleteOperatorPolicy(@PathVariable String vhost, @PathVariable String name) {
        return Answers.of(commands.apply(
                Mutation.delete("operator policy", vhost, name, ControlPath.of(OPERATOR_POLICIES, vhost, name))));
    }

    private Object all(String path, HttpServletRequest request, SignedInUser user) {
        List<PolicyView> policies = queries.list(ControlPath.of(path), PolicyView.class);
        return ListQuery.whole(request).apply(Visible.in(policies, PolicyView::vhost, user::maySee));
    }

    private Object one(String path, String vhost, String name, HttpServletRequest request) {
        return ListQuery.columns(
                request, ApiProblem.found(queries.find(ControlPath.of(path, vhost, name), PolicyView.class)));
    }

    private ResponseEntity<Object> put(String path, String kind, String vhost, String name, byte @Nullable [] body) {
        JsonBody policy = JsonBody.of(body).require("pattern", "definition");
        return Answers.of(
                commands.apply(Mutation.put(kind, vhost, name, ControlPath.of(path, vhost, name), policy.fields())));
    }
}
