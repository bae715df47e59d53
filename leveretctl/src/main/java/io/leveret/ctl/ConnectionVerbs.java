package io.leveret.ctl;

import java.util.List;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** Closing of connections. */
final class ConnectionVerbs {
    private static final String GROUP = "Operations";

    private ConnectionVerbs() {}

    static List<Verb> all() {
        return List.of(
                new Verb(
                        "close_all_connections",
                        GROUP,
                        "Instructs the broker to close all connections for the" + " specified vhost or entire node",
                        "[--vhost <vhost> --limit <limit>] [-n <node> --global] [--per-connection-delay <delay>]"
                                + " <explanation>",
                        List.of("--global", "--limit=", "--per-connection-delay="),
                        1,
                        1,
                        ConnectionVerbs::closeAll),
                new Verb(
                        "close_all_user_connections",
                        GROUP,
                        "Instructs the broker to close all connections of the specified user",
                        "<username> <explanation>",
                        List.of(),
                        2,
                        2,
                        ConnectionVerbs::closeOfUser),
                new Verb(
                        "close_connection",
                        GROUP,
                        "Instructs the broker to close the connection with this pid or name",
                        "<connection pid> <explanation>",
                        List.of(),
                        2,
                        2,
                        ConnectionVerbs::close));
    }

    private static void close(Call call) {
        JsonNode connections = call.client().get("/connections");
        String which = call.argument(0);
        call.say("Closing connection " + which + ", reason: " + call.argument(1) + "...");
        if (which.startsWith("<") && !which.matches("<.+\\.[0-9]+\\.[0-9]+\\.[0-9]+>")) {
            throw CtlFailure.error(CtlFailure.UNAVAILABLE, "Error:\n{:invalid_pid_syntax, \"" + which + "\"}");
        }
        closeThose(
                call,
                connections,
                connection -> Pids.ofConnection(connection).equals(which)
                        || connection.path("name").asString("").equals(which),
                call.argument(1));
    }

    private static void closeAll(Call call) {
        JsonNode connections = call.client().get("/connections");
        String vhost = call.options().get("vhost");
        String explanation = call.argument(0);
        String where = vhost != null ? "in vhost " + vhost : call.has("global") ? "" : "on node " + call.node();
        call.say("Closing all connections " + where + ", reason: " + explanation + "...");
        int closed = closeThose(
                call,
                connections,
                connection -> vhost != null
                        ? connection.path("vhost").asString("").equals(vhost)
                        : call.has("global")
                                || connection.path("node").asString("").equals(call.node()),
                explanation);
        call.say("Closed " + closed + " connections");
    }

    private static void closeOfUser(Call call) {
        JsonNode connections = call.client().get("/connections");
        call.say("Closing connections of user " + call.argument(0) + ", reason: " + call.argument(1) + "...");
        closeThose(
                call,
                connections,
                connection -> connection.path("user").asString("").equals(call.argument(0)),
                call.argument(1));
    }

    private static int closeThose(Call call, JsonNode connections, Predicate<JsonNode> which, String reason) {
        int closed = 0;
        for (JsonNode connection : connections) {
            if (which.test(connection)) {
                String path = ControlClient.path(
                        "connections", connection.path("name").asString(""));
                if (call.client().ask("DELETE", path, null, reason).isOk()) {
                    closed++;
                }
            }
        }
        return closed;
    }
}
