package io.leveret.ctl;

import io.leveret.ctl.ControlClient.Answer;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Runtime parameters of vhosts and of the cluster. */
final class ParameterVerbs {
    private static final String GROUP = "Parameters";

    private ParameterVerbs() {}

    static List<Verb> all() {
        return List.of(
                new Verb(
                        "clear_global_parameter",
                        GROUP,
                        "Clears a global runtime parameter",
                        "<name>",
                        List.of(),
                        1,
                        1,
                        ParameterVerbs::clearGlobal),
                new Verb(
                        "clear_parameter",
                        GROUP,
                        "Clears a runtime parameter",
                        "[--vhost <vhost>] <component_name> <name>",
                        List.of(),
                        2,
                        2,
                        ParameterVerbs::clear),
                new Verb(
                        "list_global_parameters",
                        GROUP,
                        "Lists global runtime parameters",
                        "[--no-table-headers] [--timeout <timeout>]",
                        List.of(),
                        0,
                        0,
                        ParameterVerbs::listGlobal),
                new Verb(
                        "list_parameters",
                        GROUP,
                        "Lists runtime parameters for a virtual host",
                        "[--vhost <vhost>] [--no-table-headers] [--timeout <timeout>]",
                        List.of(),
                        0,
                        0,
                        ParameterVerbs::list),
                new Verb(
                        "set_global_parameter",
                        GROUP,
                        "Sets a runtime parameter",
                        "<name> <value>",
                        List.of(),
                        2,
                        2,
                        ParameterVerbs::setGlobal),
                new Verb(
                        "set_parameter",
                        GROUP,
                        "Sets a runtime parameter",
                        "[--vhost <vhost>] <component_name> <name> <value>",
                        List.of(),
                        3,
                        3,
                        ParameterVerbs::set));
    }

    private static JsonNode value(String json) {
        return Texts.NODES.objectNode().set("value", PolicyVerbs.parsed(json));
    }

    private static void set(Call call) {
        call.client().get("/node");
        call.say("Setting runtime parameter \"" + call.argument(1) + "\" for component \"" + call.argument(0)
                + "\" to \"" + call.argument(2) + "\" in vhost \"" + call.vhost() + "\" ...");
        Answer answer = call.client()
                .ask(
                        "PUT",
                        ControlClient.path("parameters", call.argument(0), call.vhost(), call.argument(1)),
                        value(call.argument(2)));
        if (answer.isMissing()) {
            throw CtlFailure.noVhost(call.vhost());
        }
        ControlClient.accepted(answer);
    }

    private static void clear(Call call) {
        call.client().get("/node");
        call.say("Clearing runtime parameter \"" + call.argument(1) + "\" for component \"" + call.argument(0)
                + "\" on vhost \"" + call.vhost() + "\" ...");
        cleared(call.client()
                .ask(
                        "DELETE",
                        ControlClient.path("parameters", call.argument(0), call.vhost(), call.argument(1)),
                        null));
    }

    private static void setGlobal(Call call) {
        call.client().get("/node");
        call.say("Setting global runtime parameter \"" + call.argument(0) + "\" to \"" + call.argument(1) + "\" ...");
        ControlClient.accepted(call.client()
                .ask("PUT", ControlClient.path("global-parameters", call.argument(0)), value(call.argument(1))));
    }

    private static void clearGlobal(Call call) {
        call.client().get("/node");
        call.say("Clearing global runtime parameter \"" + call.argument(0) + "\" ...");
        cleared(call.client().ask("DELETE", ControlClient.path("global-parameters", call.argument(0)), null));
    }

    private static void cleared(Answer answer) {
        if (answer.isMissing()) {
            throw CtlFailure.error(CtlFailure.UNAVAILABLE, "Parameter does not exist");
        }
        ControlClient.accepted(answer);
    }

    private static void list(Call call) {
        Answer answer = call.client().ask("GET", "/parameters", null);
        call.say("Listing runtime parameters for vhost \"" + call.vhost() + "\" ...");
        if (call.client()
                .ask("GET", ControlClient.path("vhosts", call.vhost()), null)
                .isMissing()) {
            throw CtlFailure.noVhost(call.vhost());
        }
        Listing listing = new Listing(call, List.of("component", "name", "value"));
        ControlClient.accepted(answer).body().values().stream()
                .filter(each -> each.path("vhost").asString("").equals(call.vhost()))
                .forEach(each -> listing.add(Map.of(
                        "component",
                        each.path("component"),
                        "name",
                        each.path("name"),
                        "value",
                        Texts.of(Texts.sortedJson(each.path("value"))))));
        listing.printList();
    }

    private static void listGlobal(Call call) {
        JsonNode parameters = call.client().get("/global-parameters");
        call.say("Listing global runtime parameters ...");
        Listing listing = new Listing(call, List.of("name", "value"));
        parameters.forEach(each -> listing.add(
                Map.of("name", each.path("name"), "value", Texts.of(Texts.sortedJson(each.path("value"))))));
        listing.printList();
    }
}
