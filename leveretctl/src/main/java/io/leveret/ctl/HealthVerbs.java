package io.leveret.ctl;

import io.leveret.ctl.ControlClient.Answer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Checks that monitoring runs, and what a node says of its alarms, ports and memory. */
final class HealthVerbs {
    private static final String GROUP = "Monitoring, observability and health checks";
    private static final double GIGABYTE = 1e9;

    private static final List<Verb> VERBS = List.of(
            Verb.plain("alarms", GROUP, "Lists resource alarms (local or cluster-wide)", HealthVerbs::alarms),
            Verb.plain(
                    "check_alarms",
                    GROUP,
                    "Health check that exits with a non-zero code if any alarm is in effect anywhere in the cluster",
                    call -> checkAlarms(call, true)),
            Verb.plain(
                    "check_if_node_is_mirror_sync_critical",
                    GROUP,
                    "Health check that exits with a non-zero code if a mirrored queue would be left without a mirror in sync",
                    HealthVerbs::checkMirrors),
            Verb.plain(
                    "check_if_node_is_quorum_critical",
                    GROUP,
                    "Health check about quorum queues, of which there are none",
                    call -> passed(
                            call,
                            "Checking if node " + call.node() + " is critical for quorum of any quorum queues ...",
                            "Node " + call.node() + " reported no quorum queues with minimum quorum")),
            Verb.plain(
                    "check_local_alarms",
                    GROUP,
                    "Health check that exits with a non-zero code if an alarm is in effect on the node",
                    call -> checkAlarms(call, false)),
            argument("check_port_listener", "<port>", "Health check of one port", HealthVerbs::checkPort),
            argument(
                    "check_protocol_listener",
                    "<protocol>",
                    "Health check of one protocol",
                    HealthVerbs::checkProtocol),
            Verb.plain("check_running", GROUP, "Health check that the broker runs", HealthVerbs::checkRunning),
            Verb.plain(
                    "check_virtual_hosts",
                    GROUP,
                    "Health check that every vhost runs on the node",
                    call -> passed(
                            call,
                            "Checking if all vhosts are running on node " + call.node() + " ...",
                            "Node " + call.node() + " reported all vhosts as running")),
            Verb.plain("is_booting", GROUP, "Says whether the broker is starting", HealthVerbs::isBooting),
            Verb.plain("is_running", GROUP, "Says whether the broker runs", HealthVerbs::isRunning),
            Verb.plain("listeners", GROUP, "Lists the ports of the node", HealthVerbs::listeners),
            Verb.plain("memory_breakdown", GROUP, "Says what the node uses its memory for", HealthVerbs::memory),
            Verb.plain("server_version", GROUP, "Says which version the node speaks", HealthVerbs::version));

    private HealthVerbs() {}

    static List<Verb> all() {
        return VERBS;
    }

    private static Verb argument(String name, String usage, String summary, Verb.Action action) {
        return new Verb(name, GROUP, summary, usage, List.of(), 1, 1, action);
    }

    private static ObjectNode result(Call call) {
        return Texts.NODES.objectNode().put("result", "ok").put("node", call.node());
    }

    /** The sentence for people, the object for programs. */
    private static void tell(Call call, String sentence, ObjectNode object) {
        call.print(call.isJson() ? object.toString() : sentence);
    }

    private static void passed(Call call, String doing, String sentence) {
        call.client().get("/node");
        call.say(doing);
        tell(call, sentence, Texts.NODES.objectNode().put("result", "ok"));
    }

    private static Answer check(Call call, String... path) {
        List<String> segments = new ArrayList<>(List.of("health", "checks"));
        segments.addAll(List.of(path));
        Answer answer = call.client().ask("GET", ControlClient.path(segments.toArray(String[]::new)), null);
        return answer.status() == 503 && answer.body().has("status") ? answer : ControlClient.accepted(answer);
    }

    // ---- alarms

    private static List<String> sentences(JsonNode alarms) {
        return alarms.values().stream().map(AlarmLines::sentence).sorted().toList();
    }

    private static void alarms(Call call) {
        JsonNode alarms = check(call, "alarms").body().path("alarms");
        call.say("Asking node " + call.node() + " to report any known resource alarms ...");
        if (call.isJson()) {
            ObjectNode object = result(call);
            object.set("alarms", alarms.isArray() ? alarms : Texts.NODES.arrayNode());
            call.print(object.toString());
        } else if (alarms.isEmpty()) {
            call.print(noAlarms(call, true));
        } else {
            sentences(alarms).forEach(call::print);
        }
    }

    private static void checkAlarms(Call call, boolean isEverywhere) {
        JsonNode alarms =
                check(call, isEverywhere ? "alarms" : "local-alarms").body().path("alarms");
        call.say("Asking node " + call.node() + " to report any local resource alarms ...");
        if (!alarms.isEmpty()) {
            String text = String.join("\n", sentences(alarms));
            throw isEverywhere
                    ? new CtlFailure(CtlFailure.UNAVAILABLE, text)
                    : CtlFailure.error(CtlFailure.UNAVAILABLE, text);
        }
        tell(call, noAlarms(call, isEverywhere), result(call));
    }

    private static String noAlarms(Call call, boolean isEverywhere) {
        return "Node " + call.node() + " reported no "
                + (isEverywhere ? "alarms, local or clusterwide" : "local alarms");
    }

    private static void checkMirrors(Call call) {
        Answer answer = check(call, "node-is-mirror-sync-critical");
        call.say("Checking if node " + call.node() + " is critical for data safety of any classic mirrored queues ...");
        if (answer.isOk()) {
            tell(
                    call,
                    "Node " + call.node() + " reported no classic mirrored queues without online synchronised mirrors",
                    Texts.NODES.objectNode().put("result", "ok"));
            return;
        }
        String queues = answer.body().path("queues").values().stream()
                .map(queue -> queue.path("name").asString("") + " in virtual host '"
                        + queue.path("vhost").asString("") + "'")
                .collect(Collectors.joining("\n"));
        throw CtlFailure.error(
                CtlFailure.UNAVAILABLE,
                "Node " + call.node() + " reported local classic mirrored queues without online synchronised mirrors:\n"
                        + queues);
    }

    // ---- ports

    private static List<JsonNode> ownListeners(Call call) {
        return call.client().get("/node/listeners").values().stream()
                .sorted(Comparator.comparingInt(each -> each.path("port").asInt(0)))
                .toList();
    }

    private static void listeners(Call call) {
        List<JsonNode> listeners = ownListeners(call);
        call.say("Asking node " + call.node() + " to report its protocol listeners ...");
        if (call.isJson()) {
            ObjectNode object = result(call);
            var list = object.putArray("listeners");
            listeners.forEach(each -> list.add(ListenerLines.json(each)));
            call.print(object.toString());
            return;
        }
        listeners.forEach(each -> call.print(ListenerLines.text("Interface", each)));
    }

    private static void checkPort(Call call) {
        String port = call.argument(0);
        Answer answer = check(call, "port-listener", port);
        call.say("Asking node " + call.node() + " if there's an active listener on port " + port + " ...");
        if (!answer.isOk()) {
            throw new CtlFailure(
                    CtlFailure.UNAVAILABLE,
                    "No listener for port " + port + " is active on node " + call.node()
                            + ". Found listeners that use the following ports: "
                            + words(answer.body().path("ports")));
        }
        tell(
                call,
                "A listener for port " + port + " is running on node " + call.node() + ".",
                result(call).put("port", port));
    }

    private static void checkProtocol(Call call) {
        String protocol = call.argument(0);
        Answer answer = check(call, "protocol-listener", protocol);
        call.say("Asking node " + call.node() + " if there's an active listener for protocol " + protocol + " ...");
        if (!answer.isOk()) {
            throw CtlFailure.error(
                    CtlFailure.UNAVAILABLE,
                    "No listener for protocol " + protocol + " is active on node " + call.node()
                            + ". Found listeners for the following protocols: "
                            + words(answer.body().path("protocols")));
        }
        tell(
                call,
                "A listener for protocol " + protocol + " is running on node " + call.node() + ".",
                result(call).put("protocol", protocol));
    }

    private static String words(JsonNode list) {
        return list.values().stream().map(Texts::plain).distinct().collect(Collectors.joining(", "));
    }

    // ---- the broker

    private static String state(Call call) {
        return ControlClient.accepted(call.client().ask("GET", "/node/process", null))
                .body()
                .path("state")
                .asString("");
    }

    private static String running(Call call) {
        return "RabbitMQ on node " + call.node() + " is fully booted and running";
    }

    private static void checkRunning(Call call) {
        call.say("Checking if RabbitMQ is running on node " + call.node() + " ...");
        String state = state(call);
        if (!state.equals("running")) {
            throw CtlFailure.error(CtlFailure.UNAVAILABLE, notRunning(call, state));
        }
        tell(call, running(call), Texts.NODES.objectNode().put("message", running(call)));
    }

    private static String notRunning(Call call, String state) {
        return "RabbitMQ on node " + call.node()
                + (state.equals("starting")
                        ? " is booting up"
                        : " is not running or has not fully booted yet (check with is_booting)");
    }

    private static void isRunning(Call call) {
        call.say("Asking node " + call.node() + " for its status ...");
        String state = state(call);
        boolean isRunning = state.equals("running");
        String sentence = isRunning ? running(call) : notRunning(call, state);
        tell(call, sentence, Texts.NODES.objectNode().put("result", isRunning).put("message", sentence));
    }

    private static void isBooting(Call call) {
        call.say("Asking node " + call.node() + " for its boot status ...");
        boolean isBooting = state(call).equals("starting");
        String sentence = "RabbitMQ on node " + call.node()
                + (isBooting
                        ? " is booting"
                        : " is fully booted (check with is_running), stopped or has not started booting yet");
        tell(call, sentence, Texts.NODES.objectNode().put("result", isBooting).put("message", sentence));
    }

    private static void version(Call call) {
        JsonNode overview = call.client().get("/overview");
        call.say("Asking node " + call.node() + " for its RabbitMQ version...");
        call.print(overview.path("rabbitmq_version").asString(""));
    }

    private static void memory(Call call) {
        JsonNode memory =
                call.client().get(ControlClient.path("nodes", call.node())).path("memory");
        call.say("Reporting memory breakdown on node " + call.node() + "...");
        double total = Math.max(1, memory.path("total").path("rss").asDouble(1));
        List<Map.Entry<String, JsonNode>> parts = memory.properties().stream()
                .filter(part -> part.getValue().isNumber())
                .sorted(Comparator.comparingDouble((Map.Entry<String, JsonNode> part) ->
                                part.getValue().doubleValue())
                        .reversed())
                .toList();
        ObjectNode object = Texts.NODES.objectNode();
        for (Map.Entry<String, JsonNode> part : parts) {
            long bytes = part.getValue().longValue();
            double percent = Math.round(bytes / total * 10_000) / 100.0;
            object.putObject(part.getKey()).put("bytes", bytes).put("percentage", percent);
            if (!call.isJson()) {
                call.print(String.format(Locale.ROOT, "%s: %.4f gb (%s%%)", part.getKey(), bytes / GIGABYTE, percent));
            }
        }
        if (call.isJson()) {
            call.print(object.toString());
        }
    }
}
