package io.leveret.admin.user;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.security.Needs;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Answers;
import io.leveret.admin.web.Api;
import io.leveret.admin.web.ApiProblem;
import io.leveret.admin.web.JsonBody;
import io.leveret.admin.web.ListQuery;
import io.leveret.model.control.PermissionDeclaration;
import io.leveret.model.control.TopicPermissionDeclaration;
import io.leveret.model.view.PermissionView;
import io.leveret.model.view.TopicPermissionView;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;

/** /api/permissions and /api/topic-permissions. */
@Api
@Needs(Tag.ADMINISTRATOR)
class PermissionApi {
    private final BrokerQueries queries;
    private final BrokerCommands commands;

    PermissionApi(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    @GetMapping("/permissions")
    Object permissions(HttpServletRequest request) {
        return ListQuery.of(request).apply(queries.list(ControlPath.of("permissions"), PermissionView.class));
    }

    @GetMapping("/permissions/{vhost}/{user}")
    Object permission(@PathVariable String vhost, @PathVariable String user) {
        return ApiProblem.found(queries.find(ControlPath.of("permissions", vhost, user), PermissionView.class));
    }

    @PutMapping("/permissions/{vhost}/{user}")
    ResponseEntity<Object> save(
            @PathVariable String vhost,
            @PathVariable String user,
            @RequestBody(required = false) byte @Nullable [] body) {
        JsonBody permission = JsonBody.of(body).require("configure", "write", "read");
        PermissionDeclaration declaration = new PermissionDeclaration(
                permission.text("configure", ""), permission.text("write", ""), permission.text("read", ""));
        return Answers.of(commands.apply(UserMutations.permit(vhost, user, declaration)));
    }

    @DeleteMapping("/permissions/{vhost}/{user}")
    ResponseEntity<Object> delete(@PathVariable String vhost, @PathVariable String user) {
        return Answers.of(commands.apply(UserMutations.revoke(vhost, user)));
    }

    @GetMapping("/topic-permissions")
    Object topicPermissions(HttpServletRequest request) {
        return ListQuery.of(request)
                .apply(queries.list(ControlPath.of("topic-permissions"), TopicPermissionView.class));
    }

    @GetMapping("/topic-permissions/{vhost}/{user}")
    Object topicPermissions(@PathVariable String vhost, @PathVariable String user) {
        return queries.list(ControlPath.of("topic-permissions", vhost, user), TopicPermissionView.class);
    }

    @PutMapping("/topic-permissions/{vhost}/{user}")
    ResponseEntity<Object> saveTopicPermission(
            @PathVariable String vhost,
            @PathVariable String user,
            @RequestBody(required = false) byte @Nullable [] body) {
        JsonBody permission = JsonBody.of(body).require("exchange", "write", "read");
        TopicPermissionDeclaration declaration = new TopicPermissionDeclaration(
                permission.text("exchange", ""), permission.text("write", ""), permission.text("read", ""));
        return Answers.of(commands.apply(UserMutations.permitTopic(vhost, user, declaration)));
    }

    @DeleteMapping("/topic-permissions/{vhost}/{user}")
    ResponseEntity<Object> deleteTopicPermissions(@PathVariable String vhost, @PathVariable String user) {
        return Answers.of(commands.apply(UserMutations.revokeTopics(vhost, user)));
    }
}
