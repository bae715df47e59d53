package io.leveret.admin.node;

import io.leveret.admin.cluster.BrokerCommands;
import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.admin.cluster.Mutation;
import io.leveret.admin.security.Needs;
import io.leveret.admin.security.Tag;
import io.leveret.admin.web.Answers;
import io.leveret.admin.web.Api;
import io.leveret.model.view.LoginAttemptsView;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** /api/auth/attempts: how often somebody tried to log in at a node. */
@Api
class LoginAttemptsApi {
    private final BrokerQueries queries;
    private final BrokerCommands commands;

    LoginAttemptsApi(BrokerQueries queries, BrokerCommands commands) {
        this.queries = queries;
        this.commands = commands;
    }

    @GetMapping("/auth/attempts/{node}")
    @Needs(Tag.MONITORING)
    Object attempts(@PathVariable String node) {
        return queries.list(ControlPath.of("auth", "attempts", node), LoginAttemptsView.class);
    }

    @GetMapping("/auth/attempts/{node}/source")
    @Needs(Tag.MONITORING)
    Object sources(@PathVariable String node) {
        return queries.list(ControlPath.of("auth", "attempts", node, "source"), LoginAttemptsView.class);
    }

    @DeleteMapping({"/auth/attempts/{node}", "/auth/attempts/{node}/source"})
    @Needs(Tag.ADMINISTRATOR)
    ResponseEntity<Object> reset(@PathVariable String node) {
        return Answers.of(commands.apply(Mutation.act(
                "reset",
                new Mutation.Subject("login attempts", "", node, null),
                "DELETE",
                ControlPath.of("auth", "attempts", node),
                null)));
    }
}
