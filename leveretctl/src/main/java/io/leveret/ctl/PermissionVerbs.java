package io.leveret.ctl;

import io.leveret.ctl.ControlClient.Answer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Permissions and topic permissions. */
final class PermissionVerbs {
    private static final String GROUP = "Access Control";
    private static final List<String> BY_USER = List.of("user", "configure", "write", "read");
    private static final List<String> BY_VHOST = List.of("vhost", "configure", "write", "read");
    private static final List<String> TOPIC_BY_USER = List.of("user", "exchange", "write", "read");
    private static final List<String> TOPIC_BY_VHOST = List.of("vhost", "exchange", "write", "read");

    private static final Pattern INVALID = Pattern.compile(
            "\\w+ '(.*)' should be a regular expression but is invalid:\\s*\\{\"(.*)\",\\s*(\\d+)\\}", Pattern.DOTALL);

    private static final List<Verb> VERBS = List.of(
            new Verb(
                    "clear_permissions",
                    GROUP,
                    "Revokes user permissions for a vhost",
                    "[--vhost <vhost>] <username>",
                    List.of(),
                    1,
                    1,
                    PermissionVerbs::clear),
            new Verb(
                    "clear_topic_permissions",
                    GROUP,
                    "Clears user topic permissions for a vhost or exchange",
                    "[--vhost <vhost>] <username> [<exchange>]",
                    List.of(),
                    1,
                    2,
                    PermissionVerbs::clearTopic),
            new Verb(
                    "list_permissions",
                    GROUP,
                    "Lists user permissions in a virtual host",
                    "[--vhost <vhost>] [--no-table-headers] [--timeout <timeout>]",
                    List.of(),
                    0,
                    0,
                    call -> listOfVhost(call, "permissions", "permissions", BY_USER)),
            new Verb(
                    "list_topic_permissions",
                    GROUP,
                    "Lists topic permissions in a virtual host",
                    "[--vhost <vhost>] [--no-table-headers] [--timeout <timeout>]",
                    List.of(),
                    0,
                    0,
                    call -> listOfVhost(call, "topic-permissions", "topic permissions", TOPIC_BY_USER)),
            new Verb(
                    "list_user_permissions",
                    GROUP,
                    "Lists permissions of a user across all virtual hosts",
                    "[--no-table-headers] <username>",
                    List.of(),
                    1,
                    1,
                    call -> listOfUser(call, "permissions", "permissions", BY_VHOST)
                            .printList()),
            new Verb(
                    "list_user_topic_permissions",
                    GROUP,
                    "Lists user topic permissions",
                    "[--no-table-headers] <username>",
                    List.of(),
                    1,
                    1,
                    call -> listOfUser(call, "topic-permissions", "topic permissions", TOPIC_BY_VHOST)
                            .printWithoutHeader()),
            new Verb(
                    "set_permissions",
                    GROUP,
                    "Sets user permissions for a vhost",
                    "[--vhost <vhost>] <username> <conf> <write> <read>",
                    List.of(),
                    4,
                    4,
                    PermissionVerbs::set),
            new Verb(
                    "set_topic_permissions",
                    GROUP,
                    "Sets user topic permissions for an exchange",
                    "[--vhost <vhost>] <username> <exchange> <write> <read>",
                    List.of(),
                    4,
                    4,
                    PermissionVerbs::setTopic));

    private PermissionVerbs() {}

    static List<Verb> all() {
        return VERBS;
    }

    /** Which of the two does not exist: their own sentences and statuses. */
    private static void checkBothExist(Call call) {
        Answer user = call.client().ask("GET", ControlClient.path("users", call.argument(0)), null);
        if (user.isMissing()) {
            throw CtlFailure.error(CtlFailure.NO_USER, "User " + call.argument(0) + " does not exist");
        }
        Answer vhost = call.client().ask("GET", ControlClient.path("vhosts", call.vhost()), null);
        if (vhost.isMissing()) {
            throw CtlFailure.error(CtlFailure.UNAVAILABLE, "Virtual host " + call.vhost() + " does not exist");
        }
    }

    private static void set(Call call) {
        call.client().get("/node");
        call.say("Setting permissions for user \"" + call.argument(0) + "\" in vhost \"" + call.vhost() + "\" ...");
        checkBothExist(call);
        ObjectNode body = Texts.NODES
                .objectNode()
                .put("configure", call.argument(1))
                .put("write", call.argument(2))
                .put("read", call.argument(3));
        acceptedPatterns(
                call.client().ask("PUT", ControlClient.path("permissions", call.vhost(), call.argument(0)), body));
    }

    /** An expression that is none is shown as the term that scripts know. */
    private static void acceptedPatterns(Answer answer) {
        Matcher invalid = INVALID.matcher(answer.isOk() ? "" : answer.reason());
        if (invalid.matches()) {
            throw CtlFailure.error(
                    CtlFailure.UNAVAILABLE,
                    "{:invalid_regexp, '" + invalid.group(1) + "', {'" + invalid.group(2) + "', " + invalid.group(3)
                            + "}}");
        }
        ControlClient.accepted(answer);
    }

    private static void setTopic(Call call) {
        call.client().get("/node");
        call.say("Setting topic permissions on \"" + call.argument(1) + "\" for user \"" + call.argument(0)
                + "\" in vhost \"" + call.vhost() + "\" ...");
        checkBothExist(call);
        ObjectNode body = Texts.NODES
                .objectNode()
                .put("exchange", call.argument(1))
                .put("write", call.argument(2))
                .put("read", call.argument(3));
        acceptedPatterns(call.client()
                .ask("PUT", ControlClient.path("topic-permissions", call.vhost(), call.argument(0)), body));
    }

    private static void clear(Call call) {
        call.client().get("/node");
        call.say("Clearing permissions for user \"" + call.argument(0) + "\" in vhost \"" + call.vhost() + "\" ...");
        checkBothExist(call);
        acceptedOrGone(
                call.client().ask("DELETE", ControlClient.path("permissions", call.vhost(), call.argument(0)), null));
    }

    private static void clearTopic(Call call) {
        call.client().get("/node");
        boolean isOne = call.arguments().size() > 1;
        call.say("Clearing topic permissions " + (isOne ? "on \"" + call.argument(1) + "\" " : "") + "for user \""
                + call.argument(0) + "\" in vhost \"" + call.vhost() + "\" ...");
        checkBothExist(call);
        String exchange = isOne ? ControlClient.path(call.argument(1)) : "";
        acceptedOrGone(call.client()
                .ask(
                        "DELETE",
                        ControlClient.path("topic-permissions", call.vhost(), call.argument(0)) + exchange,
                        null));
    }

    private static void acceptedOrGone(Answer answer) {
        if (!answer.isMissing()) {
            ControlClient.accepted(answer);
        }
    }

    private static void listOfVhost(Call call, String kind, String words, List<String> columns) {
        Answer answer = call.client().ask("GET", ControlClient.path("vhosts", call.vhost(), kind), null);
        call.say("Listing " + words + " for vhost \"" + call.vhost() + "\" ...");
        if (answer.isMissing()) {
            throw CtlFailure.noVhost(call.vhost());
        }
        rows(call, ControlClient.accepted(answer).body(), columns).printList();
    }

    private static Listing listOfUser(Call call, String kind, String words, List<String> columns) {
        Answer answer = call.client().ask("GET", ControlClient.path("users", call.argument(0), kind), null);
        call.say("Listing " + words + " for user \"" + call.argument(0) + "\" ...");
        if (answer.isMissing()) {
            throw CtlFailure.error(CtlFailure.UNAVAILABLE, "{:no_such_user, \"" + call.argument(0) + "\"}");
        }
        return rows(call, ControlClient.accepted(answer).body(), columns);
    }

    private static Listing rows(Call call, JsonNode views, List<String> columns) {
        Listing listing = new Listing(call, columns);
        views.forEach(view -> {
            Map<String, JsonNode> row = new HashMap<>();
            columns.forEach(column -> row.put(column, view.path(column)));
            listing.add(row);
        });
        return listing;
    }
}
