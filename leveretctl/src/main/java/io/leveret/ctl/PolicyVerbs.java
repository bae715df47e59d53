package io.leveret.ctl;

import io.leveret.ctl.ControlClient.Answer;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Policies and operator policies. */
final class PolicyVerbs {
    private static final String GROUP = "Policies";
    private static final String SET_USAGE =
            "[--vhost <vhost>] [--priority <priority>] [--apply-to <apply-to>] <name> <pattern> <definition>";
    private static final List<String> SET_OPTIONS = List.of("--priority=", "--apply-to=");
    private static final List<String> COLUMNS =
            List.of("vhost", "name", "pattern", "apply-to", "definition", "priority");

    private PolicyVerbs() {}

    static List<Verb> all() {
        return List.of(
                new Verb(
                        "clear_operator_policy",
                        GROUP,
                        "Clears an operator policy",
                        "[--vhost <vhost>] <name>",
                        List.of(),
                        1,
                        1,
                        call -> clear(call, "operator-policies", "operator policy")),
                new Verb(
                        "clear_policy",
                        GROUP,
                        "Clears (removes) a policy",
                        "[--vhost <vhost>] <name>",
                        List.of(),
                        1,
                        1,
                        call -> clear(call, "policies", "policy")),
                new Verb(
                        "list_operator_policies",
                        GROUP,
                        "Lists operator policy overrides for a virtual host",
                        "[--vhost <vhost>] [--no-table-headers] [--timeout <timeout>]",
                        List.of(),
                        0,
                        0,
                        call -> list(call, "operator-policies", "operator policy overrides")),
                new Verb(
                        "list_policies",
                        GROUP,
                        "Lists all policies in a virtual host",
                        "[--vhost <vhost>] [--no-table-headers] [--timeout <timeout>]",
                        List.of(),
                        0,
                        0,
                        call -> list(call, "policies", "policies")),
                new Verb(
                        "set_operator_policy",
                        GROUP,
                        "Sets an operator policy that overrides a subset of arguments in user policies",
                        SET_USAGE,
                        SET_OPTIONS,
                        3,
                        3,
                        call -> set(call, "operator-policies", "operator policy override")),
                new Verb(
                        "set_policy",
                        GROUP,
                        "Sets or updates a policy",
                        SET_USAGE,
                        SET_OPTIONS,
                        3,
                        3,
                        call -> set(call, "policies", "policy")));
    }

    private static void set(Call call, String kind, String word) {
        String priority = call.options().getOrDefault("priority", "0");
        String definition = call.argument(2);
        call.client().get("/node");
        call.say("Setting " + word + " \"" + call.argument(0) + "\" for pattern \"" + call.argument(1) + "\" to \""
                + definition + "\" with priority \"" + priority + "\" for vhost \"" + call.vhost() + "\" ...");
        ObjectNode body = Texts.NODES.objectNode();
        body.put("pattern", call.argument(1));
        body.set("definition", parsed(definition));
        body.put("priority", Integer.parseInt(priority));
        body.put("apply-to", call.options().getOrDefault("apply-to", "all"));
        Answer answer = call.client().ask("PUT", ControlClient.path(kind, call.vhost(), call.argument(0)), body);
        if (answer.isMissing()) {
            throw CtlFailure.noVhost(call.vhost());
        }
        ControlClient.accepted(answer);
    }

    static JsonNode parsed(String json) {
        try {
            JsonNode value = json.isBlank() ? null : ControlClient.JSON.readTree(json);
            if (value != null && !value.isMissingNode()) {
                return value;
            }
        } catch (JacksonException e) {
            // Told below, as for the empty text.
        }
        throw CtlFailure.error(CtlFailure.UNAVAILABLE, "JSON decoding error. Reason: badarg");
    }

    private static void clear(Call call, String kind, String word) {
        call.client().get("/node");
        call.say("Clearing " + word + " \"" + call.argument(0) + "\" on vhost \"" + call.vhost() + "\" ...");
        Answer answer = call.client().ask("DELETE", ControlClient.path(kind, call.vhost(), call.argument(0)), null);
        if (answer.isMissing()) {
            throw CtlFailure.error(CtlFailure.UNAVAILABLE, "Parameter does not exist");
        }
        ControlClient.accepted(answer);
    }

    private static void list(Call call, String kind, String words) {
        Answer answer = call.client().ask("GET", ControlClient.path(kind, call.vhost()), null);
        call.say("Listing " + words + " for vhost \"" + call.vhost() + "\" ...");
        if (answer.isMissing()) {
            throw CtlFailure.noVhost(call.vhost());
        }
        Listing listing = new Listing(call, COLUMNS);
        ControlClient.accepted(answer).body().values().stream()
                .sorted(Comparator.comparing(policy -> policy.path("priority").asInt()))
                .forEach(policy -> {
                    Map<String, JsonNode> row = new HashMap<>();
                    COLUMNS.forEach(column -> row.put(column, policy.path(column)));
                    row.put("definition", Texts.of(Texts.sortedJson(policy.path("definition"))));
                    listing.add(row);
                });
        listing.printList();
    }
}
