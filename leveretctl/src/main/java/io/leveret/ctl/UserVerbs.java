package io.leveret.ctl;

import io.leveret.ctl.ControlClient.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Users, their passwords, tags and limits. */
final class UserVerbs {
    private static final String GROUP = "Users";

    private static final List<Verb> VERBS = List.of(
            new Verb(
                    "add_user",
                    GROUP,
                    "Creates a new user in the internal database. This user will have no"
                            + " permissions for any virtual hosts by default",
                    "<username> <password>",
                    List.of(),
                    1,
                    2,
                    UserVerbs::add),
            new Verb(
                    "authenticate_user",
                    GROUP,
                    "Attempts to authenticate a user. Exits with a non-zero code if authentication fails",
                    "<username> <password>",
                    List.of(),
                    1,
                    2,
                    UserVerbs::authenticate),
            new Verb(
                    "change_password",
                    GROUP,
                    "Changes the user password",
                    "<username> <password>",
                    List.of(),
                    1,
                    2,
                    UserVerbs::changePassword),
            new Verb(
                    "clear_password",
                    GROUP,
                    "Clears (resets) password and disables password login for a user",
                    "<username>",
                    List.of(),
                    1,
                    1,
                    UserVerbs::clearPassword),
            new Verb(
                    "clear_user_limits",
                    GROUP,
                    "Clears user connection/channel limits",
                    "<username> <limit_type> | all",
                    List.of(),
                    2,
                    2,
                    UserVerbs::clearLimits),
            new Verb(
                    "delete_user",
                    GROUP,
                    "Removes a user from the internal database",
                    "<username>",
                    List.of(),
                    1,
                    1,
                    UserVerbs::delete),
            new Verb(
                    "list_user_limits",
                    GROUP,
                    "Displays configured user limits",
                    "[--user <username>] [--global]",
                    List.of("--user=", "--global"),
                    0,
                    0,
                    UserVerbs::listLimits),
            new Verb(
                    "list_users",
                    GROUP,
                    "List user names and tags",
                    "[--no-table-headers] [--timeout <timeout>]",
                    List.of(),
                    0,
                    0,
                    UserVerbs::list),
            new Verb(
                    "set_user_limits",
                    GROUP,
                    "Sets user limits",
                    "<username> <definition>",
                    List.of(),
                    2,
                    2,
                    UserVerbs::setLimits),
            new Verb(
                    "set_user_tags",
                    GROUP,
                    "Sets user tags",
                    "<username> <tag> [...]",
                    List.of(),
                    1,
                    Verb.ANY_NUMBER,
                    UserVerbs::setTags));

    private UserVerbs() {}

    static List<Verb> all() {
        return VERBS;
    }

    private static String path(Call call) {
        return ControlClient.path("users", call.argument(0));
    }

    private static @Nullable JsonNode user(Call call) {
        Answer answer = call.client().ask("GET", path(call), null);
        return answer.isMissing() ? null : ControlClient.accepted(answer).body();
    }

    private static JsonNode existing(Call call, @Nullable JsonNode user) {
        if (user == null) {
            throw CtlFailure.error(CtlFailure.NO_USER, "User \"" + call.argument(0) + "\" does not exist");
        }
        return user;
    }

    /** The second argument, or a line from standard input. */
    private static String password(Call call) {
        if (call.arguments().size() > 1) {
            return call.argument(1);
        }
        call.say("Password: ");
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw CtlFailure.error(CtlFailure.SOFTWARE, "Password is not provided via argument or stdin");
        }
    }

    private static void add(Call call) {
        if (call.argument(0).isEmpty()) {
            throw UsageFailure.badArgument("user cannot be an empty string");
        }
        JsonNode user = user(call);
        call.say("Adding user \"" + call.argument(0) + "\" ...");
        if (user != null) {
            throw CtlFailure.error(CtlFailure.SOFTWARE, "User \"" + call.argument(0) + "\" already exists");
        }
        put(call, withPassword(password(call)).set("tags", Texts.NODES.arrayNode()));
        call.say("Done. Don't forget to grant the user permissions to some virtual hosts! See '" + call.program()
                + " help set_permissions' to learn more.");
    }

    private static ObjectNode withPassword(String password) {
        ObjectNode body = Texts.NODES.objectNode();
        // A blank password lets nobody in, which is what an empty hash says.
        return password.isEmpty() ? body.put("password_hash", "") : body.put("password", password);
    }

    private static void put(Call call, JsonNode body) {
        ControlClient.accepted(call.client().ask("PUT", path(call), body));
    }

    private static void authenticate(Call call) {
        call.client().get("/node");
        String user = call.argument(0);
        call.say("Authenticating user \"" + user + "\" ...");
        ObjectNode body = Texts.NODES
                .objectNode()
                .put("username", user)
                .put("password", password(call))
                .put("peer_host", "127.0.0.1");
        Answer answer = call.client().ask("POST", "/authenticate?by=operator", body);
        if (!answer.isOk()) {
            throw CtlFailure.error(
                    CtlFailure.DATA,
                    "Error: failed to authenticate user \"" + user + "\"\nuser '" + user + "' - invalid credentials");
        }
        call.say("Success");
    }

    private static void changePassword(Call call) {
        JsonNode user = user(call);
        call.say("Changing password for user \"" + call.argument(0) + "\" ...");
        put(call, withPassword(password(call)).set("tags", existing(call, user).path("tags")));
    }

    private static void clearPassword(Call call) {
        JsonNode user = user(call);
        call.say("Clearing password for user \"" + call.argument(0) + "\" ...");
        put(call, withPassword("").set("tags", existing(call, user).path("tags")));
    }

    private static void setTags(Call call) {
        JsonNode user = user(call);
        List<String> tags = call.arguments().subList(1, call.arguments().size());
        call.say("Setting tags for user \"" + call.argument(0) + "\" to [" + String.join(", ", tags) + "] ...");
        ObjectNode body = Texts.NODES.objectNode();
        body.set("password_hash", existing(call, user).path("password_hash"));
        body.set("hashing_algorithm", existing(call, user).path("hashing_algorithm"));
        body.set("tags", Texts.of(tags));
        put(call, body);
    }

    private static void delete(Call call) {
        call.client().get("/node");
        call.say("Deleting user \"" + call.argument(0) + "\" ...");
        Answer answer = call.client().ask("DELETE", path(call), null);
        if (answer.isMissing()) {
            throw CtlFailure.error(CtlFailure.NO_USER, "User \"" + call.argument(0) + "\" does not exist");
        }
        ControlClient.accepted(answer);
    }

    private static void list(Call call) {
        JsonNode users = call.client().get("/users");
        call.say("Listing users ...");
        Listing listing = new Listing(call, List.of("user", "tags"));
        users.forEach(user -> listing.add(Map.of("user", user.path("name"), "tags", user.path("tags"))));
        listing.printStream();
    }

    private static void listLimits(Call call) {
        if (call.has("global")) {
            JsonNode limits = call.client().get("/user-limits");
            call.say("Listing limits for all users ...");
            Listing listing = new Listing(call, List.of("user", "limits"));
            limits.forEach(each -> listing.add(
                    Map.of("user", each.path("user"), "limits", Texts.of(Texts.sortedJson(each.path("value"))))));
            listing.printList();
            return;
        }
        String user = call.options().getOrDefault("user", "guest");
        Answer answer = call.client().ask("GET", ControlClient.path("user-limits", user), null);
        call.say("Listing limits for user \"" + user + "\" ...");
        JsonNode first = ControlClient.accepted(answer).body().path(0);
        call.print(first.has("value") ? Texts.sortedJson(first.path("value")) : "{}");
    }

    private static void setLimits(Call call) {
        call.client().get("/node");
        call.say("Setting user limits to \"" + call.argument(1) + "\" for user \"" + call.argument(0) + "\" ...");
        JsonNode limits = PolicyVerbs.parsed(call.argument(1));
        List<String> known = List.of("max-connections", "max-channels");
        limits.properties().stream()
                .filter(entry -> !known.contains(entry.getKey()))
                .findFirst()
                .ifPresent(entry -> {
                    throw CtlFailure.error(
                            CtlFailure.UNAVAILABLE,
                            "Unrecognised terms [{<<\"" + entry.getKey() + "\">>," + entry.getValue()
                                    + "}] in user-limits");
                });
        if (user(call) == null) {
            throw CtlFailure.error(CtlFailure.UNAVAILABLE, "{:no_such_user, \"" + call.argument(0) + "\"}");
        }
        limits.properties().forEach(entry -> {
            ObjectNode body = Texts.NODES.objectNode().set("value", entry.getValue());
            Answer answer =
                    call.client().ask("PUT", ControlClient.path("user-limits", call.argument(0), entry.getKey()), body);
            ControlClient.accepted(answer);
        });
    }

    private static void clearLimits(Call call) {
        call.client().get("/node");
        String user = call.argument(0);
        boolean isAll = call.argument(1).equals("all");
        call.say("Clearing " + (isAll ? "all limits" : "\"" + call.argument(1) + "\" limit") + " for user \"" + user
                + "\" ...");
        for (String limit : isAll ? List.of("max-connections", "max-channels") : List.of(call.argument(1))) {
            Answer answer = call.client().ask("DELETE", ControlClient.path("user-limits", user, limit), null);
            if (!answer.isMissing()) {
                ControlClient.accepted(answer);
            }
        }
    }
}
