package io.leveret.ctl;

import io.leveret.ctl.ControlClient.Answer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;

/** Nodes and the cluster as a whole. */
final class NodeVerbs {
    private static final String NODES = "Nodes";
    private static final String CLUSTER = "Cluster";
    private static final int AWAIT_SECONDS = 300;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private NodeVerbs() {}

    static List<Verb> help() {
        return List.of(
                new Verb(
                        "help",
                        "Help",
                        "Displays usage information for a command",
                        "(<command> | --list-commands)",
                        List.of("--list-commands"),
                        0,
                        1,
                        NodeVerbs::printHelp),
                Verb.plain("version", "Help", "Displays CLI tools version", NodeVerbs::version));
    }

    static List<Verb> nodes() {
        return List.of(
                new Verb(
                        "await_startup",
                        NODES,
                        "Waits for the node to start",
                        "[--timeout <timeout>]",
                        List.of(),
                        0,
                        0,
                        NodeVerbs::awaitStartup),
                Verb.plain(
                        "start_app",
                        NODES,
                        "Starts the broker on a node whose process is running",
                        call -> application(call, "start_app", "Starting node " + call.node() + " ...")),
                Verb.plain(
                        "stop_app",
                        NODES,
                        "Stops the broker, leaving the process running",
                        call -> application(
                                call, "stop_app", "Stopping rabbit application on node " + call.node() + " ...")));
    }

    static List<Verb> cluster() {
        return List.of(
                new Verb(
                        "await_online_nodes",
                        CLUSTER,
                        "Waits for <count> nodes to join the cluster",
                        "<count> [--timeout <timeout>]",
                        List.of(),
                        1,
                        1,
                        NodeVerbs::awaitNodes),
                new Verb(
                        "cluster_status",
                        CLUSTER,
                        "Displays all the nodes in the cluster grouped by node type,"
                                + " together with the currently running nodes",
                        "[--timeout <timeout>]",
                        List.of(),
                        0,
                        0,
                        ClusterStatus::print),
                Verb.plain(
                        "force_boot",
                        CLUSTER,
                        "Forces node to start even if it cannot contact any of its previously known peers",
                        NodeVerbs::forceBoot),
                new Verb(
                        "forget_cluster_node",
                        CLUSTER,
                        "Removes a node from the cluster",
                        "[--offline] <existing_cluster_member_node>",
                        List.of("--offline"),
                        1,
                        1,
                        NodeVerbs::forget));
    }

    static List<Verb> settings() {
        String group = "Configuration and Environment";
        return List.of(
                new Verb(
                        "set_cluster_name",
                        group,
                        "Sets the cluster name",
                        "<name>",
                        List.of(),
                        1,
                        1,
                        NodeVerbs::setClusterName),
                new Verb(
                        "set_disk_free_limit",
                        group,
                        "Sets the disk_free_limit setting",
                        "<disk_limit> | mem_relative <fraction>",
                        List.of(),
                        1,
                        2,
                        Thresholds::setDisk),
                new Verb(
                        "set_vm_memory_high_watermark",
                        group,
                        "Sets the vm_memory_high_watermark setting",
                        "<fraction> | absolute <value>",
                        List.of(),
                        1,
                        2,
                        Thresholds::setMemory));
    }

    static List<Verb> features() {
        return List.of(new Verb(
                "list_feature_flags",
                "Feature flags",
                "Lists feature flags",
                "[--no-table-headers] [<column> ...]",
                List.of(),
                0,
                Verb.ANY_NUMBER,
                NodeVerbs::features));
    }

    static List<Verb> deprecated() {
        return List.of(Verb.plain(
                "node_health_check",
                "Deprecated",
                "DEPRECATED. Performs health checks on a fully booted node",
                NodeVerbs::healthCheck));
    }

    private static void printHelp(Call call) {
        if (call.has("list-commands")) {
            call.print(Help.commands());
            return;
        }
        if (call.arguments().isEmpty()) {
            call.print(Help.overview(call.program()));
            return;
        }
        Verb verb = Verbs.find(call.argument(0));
        if (verb == null) {
            throw CtlFailure.error(CtlFailure.USAGE, "\nCommand '" + call.argument(0) + "' not found.");
        }
        call.print(Help.of(verb, call.program()));
    }

    private static void version(Call call) {
        String version = NodeVerbs.class.getPackage().getImplementationVersion();
        call.print(version == null ? "unknown" : version);
    }

    static void ping(Call call) {
        call.say("Will ping " + call.node() + ". This only checks if the OS process is running and registered with"
                + " epmd. Timeout: 60000 ms.");
        try {
            call.client().ask("GET", "/node", null);
        } catch (NodeUnreachable e) {
            throw CtlFailure.error(
                    CtlFailure.UNAVAILABLE, "Failed to connect and authenticate to " + call.node() + " in 60000 ms");
        }
        call.print("Ping succeeded");
    }

    private static void application(Call call, String action, String sentence) {
        Answer answer = call.client().ask("GET", "/node/process", null);
        ControlClient.accepted(answer);
        call.say(sentence);
        ControlClient.accepted(call.client().ask("POST", "/node/process/" + action, null));
    }

    private static void awaitStartup(Call call) {
        boolean isUp = await(call, () -> {
            try {
                return call.client()
                        .ask("GET", "/node/process", null)
                        .body()
                        .path("state")
                        .asString("")
                        .equals("running");
            } catch (NodeUnreachable e) {
                return false;
            }
        });
        if (!isUp) {
            throw CtlFailure.error(
                    CtlFailure.SOFTWARE, "timed out while waiting for node " + call.node() + " to start");
        }
    }

    private static void awaitNodes(Call call) {
        if (!call.argument(0).matches("[0-9]{1,6}")) {
            throw UsageFailure.badArgument("the count must be a positive integer");
        }
        int count = Integer.parseInt(call.argument(0));
        call.say("Will wait for at least " + count + " nodes to join the cluster of " + call.node() + ". Timeout: "
                + seconds(call) + " seconds.");
        boolean isEnough = await(
                call,
                () -> call.client().get("/nodes").values().stream()
                                .filter(node -> node.path("running").asBoolean(false))
                                .count()
                        >= count);
        if (!isEnough) {
            throw CtlFailure.error(
                    CtlFailure.SOFTWARE,
                    "Error: timed out while waiting. Not enough nodes joined " + call.node() + "'s cluster.");
        }
    }

    private static int seconds(Call call) {
        return call.has("timeout") ? Integer.parseInt(call.options().getOrDefault("timeout", "0")) : AWAIT_SECONDS;
    }

    private static boolean await(Call call, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds(call));
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }

    private static void forceBoot(Call call) {
        Answer answer = call.client().ask("GET", "/node/process", null);
        if (ControlClient.accepted(answer).body().path("state").asString("").equals("running")) {
            throw new UsageFailure("Error: this command requires the 'rabbit' app to be stopped on the target node. "
                    + "Stop it with '%s stop_app'.");
        }
        ControlClient.accepted(call.client().ask("POST", "/node/process/force_boot", null));
    }

    private static void forget(Call call) {
        if (call.has("offline")) {
            throw new UsageFailure("Error: this command requires the target node to be stopped.");
        }
        JsonNode nodes = call.client().get("/nodes");
        String given = call.argument(0);
        String name = given.contains("@") ? given : given + "@localhost";
        call.say("Removing node " + name + " from the cluster");
        JsonNode node = nodes.values().stream()
                .filter(each -> each.path("name").asString("").equals(name))
                .findFirst()
                .orElseThrow(() -> CtlFailure.error(
                        CtlFailure.UNAVAILABLE, "{:not_a_cluster_node, 'The node selected is not in the cluster.'}"));
        if (node.path("running").asBoolean(false)) {
            throw CtlFailure.error(
                    CtlFailure.UNAVAILABLE,
                    "RabbitMQ on node " + name + " must be stopped with '" + call.program() + " -n " + name
                            + " stop_app' before it can be removed");
        }
        ControlClient.accepted(call.client().ask("DELETE", ControlClient.path("nodes", name), null));
    }

    private static void setClusterName(Call call) {
        call.client().get("/node");
        call.say("Setting cluster name to " + call.argument(0) + " ...");
        ControlClient.accepted(call.client()
                .ask("PUT", "/cluster-name", Texts.NODES.objectNode().put("name", call.argument(0))));
    }

    private static void features(Call call) {
        JsonNode flags = call.client().get("/feature-flags");
        call.say("Listing feature flags ...");
        Listing listing = new Listing(call, List.of("name", "state"));
        flags.forEach(flag -> listing.add(Map.of("name", flag.path("name"), "state", flag.path("state"))));
        listing.printStream();
    }

    private static void healthCheck(Call call) {
        JsonNode node = call.client().get("/node");
        call.say("Timeout: 70 seconds ...");
        call.say("Checking health of node " + call.node() + " ...");
        if (!node.path("state").asString("").equals("running")) {
            throw CtlFailure.error(
                    CtlFailure.SOFTWARE, "the node is " + node.path("state").asString("not running"));
        }
        call.print("Health check passed");
    }
}
