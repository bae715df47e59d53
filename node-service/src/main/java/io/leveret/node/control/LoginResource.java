package io.leveret.node.control;

import io.leveret.model.NodeName;
import io.leveret.model.view.LoginAttemptsView;
import io.leveret.node.broker.auth.LoginAttempts;
import java.util.List;
import java.util.function.Function;

/** How often somebody tried to log in at each node. */
final class LoginResource {
    private final Resources resources;

    LoginResource(Resources resources) {
        this.resources = resources;
    }

    void addTo(Routes routes) {
        routes.add("GET", "auth/attempts/{}", request -> at(request, "", list(LoginAttempts::protocols)))
                .add("GET", "auth/attempts/{}/source", request -> at(request, "/source", list(LoginAttempts::sources)))
                .add("DELETE", "auth/attempts/{}", request -> at(request, "", LoginResource::reset));
    }

    private static Function<LoginAttempts, Answer> list(Function<LoginAttempts, List<LoginAttempts.Row>> rows) {
        return attempts ->
                Answer.of(rows.apply(attempts).stream().map(LoginResource::view).toList());
    }

    private static Answer reset(LoginAttempts attempts) {
        attempts.reset();
        return Answer.done();
    }

    /** Answers here when this node is meant, and else lets the other node answer. */
    private Answer at(ControlRequest request, String what, Function<LoginAttempts, Answer> here) {
        NodeName node = new NodeName(request.part(0));
        ControlScope scope = resources.scope();
        if (node.equals(scope.store().localNode())) {
            return here.apply(scope.authenticator().attempts());
        }
        if (!scope.store().cluster().isLive(node)) {
            throw ControlRefusal.notFound();
        }
        String path = PeerControl.path("auth", "attempts", node.value()) + what;
        return resources.cluster().forward(node, request.method(), path, new byte[0]);
    }

    private static LoginAttemptsView view(LoginAttempts.Row row) {
        return new LoginAttemptsView(
                row.address(),
                row.user(),
                row.protocol(),
                row.succeeded() + row.failed(),
                row.failed(),
                row.succeeded());
    }
}
