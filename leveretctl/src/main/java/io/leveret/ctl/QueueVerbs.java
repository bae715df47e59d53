package io.leveret.ctl;

import io.leveret.ctl.ControlClient.Answer;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What is done to single queues. */
final class QueueVerbs {
    private static final String QUEUE_USAGE = "[--vhost <vhost>] <queue>";

    private QueueVerbs() {}

    static List<Verb> replication() {
        return List.of(
                new Verb(
                        "cancel_sync_queue",
                        "Replication",
                        "Instructs a synchronising mirrored queue to stop synchronising itself",
                        QUEUE_USAGE,
                        List.of(),
                        1,
                        1,
                        QueueVerbs::cancelSync),
                new Verb(
                        "sync_queue",
                        "Replication",
                        "Instructs a mirrored queue with unsynchronised mirrors (follower replicas) to synchronise them",
                        QUEUE_USAGE,
                        List.of(),
                        1,
                        1,
                        QueueVerbs::sync),
                new Verb(
                        "rebalance",
                        "Replication",
                        "Spreads the leaders of queues evenly over the nodes",
                        "",
                        List.of(),
                        0,
                        1,
                        QueueVerbs::rebalance));
    }

    static List<Verb> queues() {
        return List.of(
                new Verb(
                        "delete_queue",
                        "Queues",
                        "Deletes a queue",
                        "[--vhost <vhost>] <queue> [--if-empty|-e] [--if-unused|-u] [--timeout <timeout>]",
                        List.of("--if-empty", "--if-unused"),
                        1,
                        1,
                        QueueVerbs::delete),
                new Verb(
                        "purge_queue",
                        "Queues",
                        "Purges a queue (removes all messages in it)",
                        "<queue> [--timeout <timeout>]",
                        List.of(),
                        1,
                        1,
                        QueueVerbs::purge));
    }

    private static String path(Call call, String... more) {
        return ControlClient.path("queues", call.vhost(), call.argument(0)) + ControlClient.path(more);
    }

    private static String named(Call call, String preposition) {
        return "queue '" + call.argument(0) + "' " + preposition + " vhost '" + call.vhost() + "'";
    }

    private static void sync(Call call) {
        Answer queue = call.client().ask("GET", path(call), null);
        call.say("Synchronising " + named(call, "in") + " ...");
        JsonNode view = ControlClient.accepted(queue).body();
        if (!view.has("slave_nodes")) {
            throw CtlFailure.error(CtlFailure.UNAVAILABLE, "not_mirrored");
        }
        ControlClient.accepted(call.client().ask("POST", path(call, "actions"), action("sync")));
    }

    private static void cancelSync(Call call) {
        Answer queue = call.client().ask("GET", path(call), null);
        call.say("Stopping synchronising " + named(call, "in") + " ...");
        boolean isSyncing = ControlClient.accepted(queue).body().path("replication").path("replicas").values().stream()
                .anyMatch(replica -> replica.has("sync"));
        if (!isSyncing) {
            call.print("not_syncing");
            return;
        }
        ControlClient.accepted(call.client().ask("POST", path(call, "actions"), action("cancel_sync")));
    }

    private static ObjectNode action(String word) {
        return Texts.NODES.objectNode().put("action", word);
    }

    private static void rebalance(Call call) {
        call.client().get("/node");
        call.say("Rebalancing the leaders of queues ...");
        ControlClient.accepted(call.client().ask("POST", "/rebalance/queues", null));
    }

    private static void delete(Call call) {
        Answer queue = call.client().ask("GET", path(call), null);
        String condition = (call.has("if-empty") ? " if queue is empty" : "")
                + (call.has("if-empty") && call.has("if-unused") ? " and" : "")
                + (call.has("if-unused") ? " if queue is unused" : "");
        call.say("Deleting " + named(call, "on") + condition + " ...");
        if (queue.isMissing()) {
            throw CtlFailure.error(CtlFailure.USAGE, "Queue not found");
        }
        long ready = ControlClient.accepted(queue).body().path("messages_ready").asLong(0);
        String query = "?if-empty=" + call.has("if-empty") + "&if-unused=" + call.has("if-unused");
        Answer answer = call.client().ask("DELETE", path(call) + query, null);
        if (answer.isMissing()) {
            throw CtlFailure.error(CtlFailure.USAGE, "Queue not found");
        }
        if (answer.reason().contains("not empty")) {
            throw CtlFailure.error(CtlFailure.USAGE, "Queue is not empty");
        }
        if (answer.reason().contains("in use")) {
            throw CtlFailure.error(CtlFailure.USAGE, "Queue is in use");
        }
        ControlClient.accepted(answer);
        call.say("Queue was successfully deleted with " + ready + " ready messages");
    }

    private static void purge(Call call) {
        call.client().get("/node");
        call.say("Purging " + named(call, "in") + " ...");
        ControlClient.accepted(call.client().ask("DELETE", path(call, "contents"), null));
    }
}
