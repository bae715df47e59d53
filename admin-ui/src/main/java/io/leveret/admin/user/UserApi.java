package io.leveret.admin.user;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.LimitMutations;
import io.leveret.admin.cluster.Mutation;
import io.leveret.admin.security.Needs;
import io.leveret.admin.security.SignedInUser;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Answers;
import io.leveret.admin.web.Api;
import io.leveret.admin.web.ApiAccess;
import io.leveret.admin.web.ApiProblem;
import io.leveret.admin.web.JsonBody;
import io.leveret.admin.web.ListQuery;
import io.leveret.model.control.UserDeclaration;
import io.leveret.model.control.Value;
import io.leveret.model.view.PermissionView;
import io.leveret.model.view.TopicPermissionView;
import io.leveret.model.view.UserLimitsView;
import io.leveret.model.view.UserView;
import io.leveret.model.view.WhoamiView;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;

/** /api/users and /api/whoami. */
@Api
class UserApi {
    private final BrokerQueries queries;
    private final BrokerCommands commands;

    UserApi(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    @GetMapping("/whoami")
    Object whoami(SignedInUser user) {
        return new WhoamiView(user.name(), user.tags());
    }

    @GetMapping("/users")
    @Needs(Tag.ADMINISTRATOR)
    Object users(HttpServletRequest request) {
        return ListQuery.whole(request).apply(queries.list(ControlPath.of("users"), UserView.class));
    }

    @GetMapping("/users/without-permissions")
    @Needs(Tag.ADMINISTRATOR)
    Object usersWithoutPermissions() {
        return queries.list(ControlPath.of("users", "without-permissions"), UserView.class);
    }

    @PostMapping("/users/bulk-delete")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> deleteAll(@RequestBody(required = false) byte @Nullable [] body) {
        List<String> users = JsonBody.of(body).require("users").words("users");
        return Answers.of(commands.apply(Mutation.act(
                "delete",
                new Mutation.Subject("user", "", String.join(", ", users), null),
                "POST",
                ControlPath.of("users", "bulk-delete"),
                Map.of("users", users))));
    }

    @GetMapping("/users/{name}")
    @Needs(Tag.ADMINISTRATOR)
    Object user(@PathVariable String name, HttpServletRequest request) {
        return ListQuery.columns(request, ApiProblem.found(queries.find(UserMutations.path(name), UserView.class)));
    }

    @PutMapping("/users/{name}")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> save(@PathVariable String name, @RequestBody(required = false) byte @Nullable [] body) {
        JsonBody user = JsonBody.of(body);
        if (!user.has("tags") && !user.has("administrator")) {
            throw ApiProblem.badRequest("tags_not_present");
        }
        if (user.has("password") && user.has("password_hash")) {
            throw ApiProblem.badRequest("both_password_and_password_hash_are_provided");
        }
        String hash = user.text("password_hash", "");
        JsonBody.requireBase64(hash);
        UserDeclaration declaration = new UserDeclaration(
                user.has("password") ? user.text("password", "") : null,
                user.has("password_hash") ? hash : null,
                user.has("hashing_algorithm") ? user.text("hashing_algorithm", "") : null,
                user.words("tags"));
        return Answers.of(commands.apply(UserMutations.save(name, declaration)));
    }

    @DeleteMapping("/users/{name}")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> delete(@PathVariable String name) {
        return Answers.of(commands.apply(UserMutations.delete(name)));
    }

    @GetMapping("/users/{name}/permissions")
    @Needs(Tag.ADMINISTRATOR)
    Object permissions(@PathVariable String name) {
        return queries.list(UserMutations.path(name).plus("permissions"), PermissionView.class);
    }

    @GetMapping("/users/{name}/topic-permissions")
    @Needs(Tag.ADMINISTRATOR)
    Object topicPermissions(@PathVariable String name) {
        return queries.list(UserMutations.path(name).plus("topic-permissions"), TopicPermissionView.class);
    }

    @GetMapping("/user-limits")
    @Needs(Tag.ADMINISTRATOR)
    Object limits() {
        return queries.list(ControlPath.of("user-limits"), UserLimitsView.class);
    }

    @GetMapping("/user-limits/{name}")
    Object limits(@PathVariable String name, SignedInUser user) {
        if (!user.isAdministrator() && !user.name().equals(name)) {
            throw ApiAccess.denied("Not administrator user");
        }
        return queries.list(ControlPath.of("user-limits", name), UserLimitsView.class);
    }

    @PutMapping("/user-limits/{name}/{limit}")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> setLimit(
            @PathVariable String name,
            @PathVariable String limit,
            @RequestBody(required = false) byte @Nullable [] body) {
        Value value = new Value(JsonBody.of(body).require("value").get("value"));
        return Answers.of(commands.apply(LimitMutations.setOfUser(name, limit, value)));
    }

    @DeleteMapping("/user-limits/{name}/{limit}")
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> clearLimit(@PathVariable String name, @PathVariable String limit) {
        return Answers.of(commands.apply(LimitMutations.clearOfUser(name, limit)));
    }
}
