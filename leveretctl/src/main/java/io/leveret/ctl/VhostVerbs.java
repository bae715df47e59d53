package io.leveret.ctl;

import io.leveret.ctl.ControlClient.Answer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Vhosts and their limits. */
final class VhostVerbs {
    private static final String GROUP = "Virtual hosts";
    private static final Set<String> COLUMNS =
            Set.of("name", "description", "tags", "default_queue_type", "tracing", "cluster_state");
    private static final List<String> LIMITS = List.of("max-connections", "max-queues");

    private static final List<Verb> VERBS = List.of(
            new Verb(
                    "add_vhost",
                    GROUP,
                    "Creates a virtual host",
                    "<vhost> [--description <description> --tags \"<tag1>,<tag2>,<...>\""
                            + " --default-queue-type <quorum|classic|stream>]",
                    List.of("--description=", "--tags=", "--default-queue-type="),
                    1,
                    1,
                    VhostVerbs::add),
            new Verb(
                    "clear_vhost_limits",
                    GROUP,
                    "Clears virtual host limits",
                    "[--vhost <vhost>]",
                    List.of(),
                    0,
                    0,
                    VhostVerbs::clearLimits),
            new Verb("delete_vhost", GROUP, "Deletes a virtual host", "<vhost>", List.of(), 1, 1, VhostVerbs::delete),
            new Verb(
                    "list_vhost_limits",
                    GROUP,
                    "Displays configured virtual host limits",
                    "[--vhost <vhost>] [--global] [--no-table-headers]",
                    List.of("--global"),
                    0,
                    0,
                    VhostVerbs::listLimits),
            new Verb(
                    "list_vhosts",
                    GROUP,
                    "Lists virtual hosts",
                    "[--no-table-headers] [<column> ...] [--timeout <timeout>]",
                    List.of(),
                    0,
                    Verb.ANY_NUMBER,
                    VhostVerbs::list),
            new Verb(
                    "set_vhost_limits",
                    GROUP,
                    "Sets virtual host limits",
                    "[--vhost <vhost>] <definition>",
                    List.of(),
                    1,
                    1,
                    VhostVerbs::setLimits),
            new Verb(
                    "set_vhost_tags",
                    GROUP,
                    "Sets virtual host tags",
                    "<vhost> <tag> [...]",
                    List.of(),
                    1,
                    Verb.ANY_NUMBER,
                    VhostVerbs::setTags));

    private VhostVerbs() {}

    static List<Verb> all() {
        return VERBS;
    }

    private static void add(Call call) {
        call.client().get("/node");
        call.say("Adding vhost \"" + call.argument(0) + "\" ...");
        ObjectNode body = Texts.NODES.objectNode();
        if (call.has("description")) {
            body.put("description", call.option("description"));
        }
        if (call.has("tags")) {
            body.set(
                    "tags",
                    Texts.of(List.of(call.options().getOrDefault("tags", "").split(","))));
        }
        ControlClient.accepted(call.client().ask("PUT", ControlClient.path("vhosts", call.argument(0)), body));
    }

    private static void delete(Call call) {
        call.client().get("/node");
        call.say("Deleting vhost \"" + call.argument(0) + "\" ...");
        Answer answer = call.client().ask("DELETE", ControlClient.path("vhosts", call.argument(0)), null);
        if (answer.isMissing()) {
            throw CtlFailure.noVhost(call.argument(0));
        }
        ControlClient.accepted(answer);
    }

    private static void setTags(Call call) {
        call.client().get("/node");
        List<String> tags = call.arguments().subList(1, call.arguments().size());
        call.say("Setting tags for virtual host \"" + call.argument(0) + "\" to [" + String.join(", ", tags) + "] ...");
        String path = ControlClient.path("vhosts", call.argument(0));
        if (call.client().ask("GET", path, null).isMissing()) {
            throw CtlFailure.error(CtlFailure.DATA, "Virtual host \"" + call.argument(0) + "\" does not exist");
        }
        JsonNode body = Texts.NODES.objectNode().set("tags", Texts.of(tags));
        ControlClient.accepted(call.client().ask("PUT", path, body));
    }

    private static void list(Call call) {
        List<String> columns = Listing.columns(call, List.of("name"), COLUMNS);
        JsonNode vhosts = call.client().get("/vhosts?disable_stats=true");
        call.say("Listing vhosts ...");
        Listing listing = new Listing(call, columns);
        vhosts.forEach(vhost -> {
            Map<String, JsonNode> row = new HashMap<>();
            COLUMNS.forEach(column -> row.put(column, vhost.path(column)));
            listing.add(row);
        });
        listing.printStream();
    }

    private static void checkExists(Call call) {
        if (call.client()
                .ask("GET", ControlClient.path("vhosts", call.vhost()), null)
                .isMissing()) {
            throw CtlFailure.noVhost(call.vhost());
        }
    }

    private static void listLimits(Call call) {
        String path = call.has("global") ? "/vhost-limits" : ControlClient.path("vhost-limits", call.vhost());
        Answer answer = call.client().ask("GET", path, null);
        call.say(
                call.has("global")
                        ? "Listing limits for all vhosts ..."
                        : "Listing limits for vhost \"" + call.vhost() + "\" ...");
        if (!call.has("global")) {
            checkExists(call);
        }
        JsonNode limits = ControlClient.accepted(answer).body();
        if (call.has("global") || call.isJson()) {
            Listing listing = new Listing(call, List.of("vhost", "limits"));
            limits.forEach(each -> listing.add(
                    Map.of("vhost", each.path("vhost"), "limits", Texts.of(Texts.sortedJson(each.path("value"))))));
            listing.printList();
            return;
        }
        JsonNode first = limits.path(0).path("value");
        call.print(first.isObject() && !first.isEmpty() ? Texts.sortedJson(first) : "");
    }

    private static void setLimits(Call call) {
        call.client().get("/node");
        call.say("Setting vhost limits to \"" + call.argument(0) + "\" for vhost \"" + call.vhost() + "\" ...");
        JsonNode limits = PolicyVerbs.parsed(call.argument(0));
        checkExists(call);
        limits.properties().stream()
                .filter(entry -> !LIMITS.contains(entry.getKey()))
                .findFirst()
                .ifPresent(entry -> {
                    throw CtlFailure.error(
                            CtlFailure.UNAVAILABLE,
                            "Validation failed\n\nUnrecognised terms [{<<\"" + entry.getKey() + "\">>,"
                                    + entry.getValue() + "}] in limits\n");
                });
        limits.properties()
                .forEach(entry -> ControlClient.accepted(call.client()
                        .ask(
                                "PUT",
                                ControlClient.path("vhost-limits", call.vhost(), entry.getKey()),
                                Texts.NODES.objectNode().set("value", entry.getValue()))));
    }

    private static void clearLimits(Call call) {
        call.client().get("/node");
        call.say("Clearing vhost \"" + call.vhost() + "\" limits ...");
        for (String limit : LIMITS) {
            Answer answer = call.client().ask("DELETE", ControlClient.path("vhost-limits", call.vhost(), limit), null);
            if (!answer.isMissing()) {
                ControlClient.accepted(answer);
            }
        }
    }
}
