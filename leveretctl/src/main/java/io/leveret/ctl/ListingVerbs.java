package io.leveret.ctl;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** Lists of queues, exchanges, bindings, connections, channels, consumers. */
final class ListingVerbs {
    private static final String GROUP = "Monitoring, observability and health checks";
    private static final String COLUMNS_USAGE =
            "[--vhost <vhost>] [--no-table-headers] [<column> ...] [--timeout <timeout>]";
    private static final Set<String> QUEUE_COLUMNS = Set.of(
            "arguments",
            "auto_delete",
            "consumer_capacity",
            "consumer_utilisation",
            "consumers",
            "disk_reads",
            "disk_writes",
            "durable",
            "exclusive",
            "exclusive_consumer_pid",
            "exclusive_consumer_tag",
            "head_message_timestamp",
            "leader",
            "members",
            "memory",
            "message_bytes",
            "message_bytes_persistent",
            "message_bytes_ram",
            "message_bytes_ready",
            "message_bytes_unacknowledged",
            "messages",
            "messages_dead_lettering",
            "messages_persistent",
            "messages_ram",
            "messages_ready",
            "messages_ready_ram",
            "messages_unacknowledged",
            "messages_unacknowledged_ram",
            "name",
            "online",
            "owner_pid",
            "pid",
            "policy",
            "single_active_consumer_tag",
            "slave_pids",
            "state",
            "synchronised_slave_pids",
            "type",
            "operator_policy",
            "effective_policy_definition");
    private static final Set<String> EXCHANGE_COLUMNS =
            Set.of("name", "type", "durable", "auto_delete", "internal", "arguments", "policy");
    private static final List<String> BINDING_COLUMNS =
            List.of("source_name", "source_kind", "destination_name", "destination_kind", "routing_key", "arguments");
    private static final Set<String> CONNECTION_COLUMNS = Set.of(
            "auth_mechanism",
            "channel_max",
            "channels",
            "client_properties",
            "connected_at",
            "frame_max",
            "host",
            "name",
            "peer_cert_issuer",
            "peer_cert_subject",
            "peer_cert_validity",
            "peer_host",
            "peer_port",
            "pid",
            "port",
            "protocol",
            "recv_cnt",
            "recv_oct",
            "send_cnt",
            "send_oct",
            "send_pend",
            "ssl",
            "ssl_cipher",
            "ssl_hash",
            "ssl_key_exchange",
            "ssl_protocol",
            "state",
            "timeout",
            "user",
            "vhost",
            "node",
            "user_provided_name");
    private static final Set<String> CHANNEL_COLUMNS = Set.of(
            "acks_uncommitted",
            "confirm",
            "connection",
            "consumer_count",
            "global_prefetch_count",
            "messages_unacknowledged",
            "messages_uncommitted",
            "messages_unconfirmed",
            "name",
            "number",
            "pid",
            "prefetch_count",
            "transactional",
            "user",
            "vhost",
            "node");
    private static final Set<String> CONSUMER_COLUMNS = Set.of(
            "queue_name",
            "channel_pid",
            "consumer_tag",
            "ack_required",
            "prefetch_count",
            "active",
            "activity_status",
            "arguments");

    private static final List<Verb> VERBS = List.of(
            new Verb(
                    "list_bindings",
                    GROUP,
                    "Lists all bindings on a vhost",
                    COLUMNS_USAGE,
                    List.of(),
                    0,
                    Verb.ANY_NUMBER,
                    ListingVerbs::bindings),
            new Verb(
                    "list_channels",
                    GROUP,
                    "Lists all channels in the node",
                    "[--no-table-headers] [<column> ...]",
                    List.of(),
                    0,
                    Verb.ANY_NUMBER,
                    ListingVerbs::channels),
            new Verb(
                    "list_connections",
                    GROUP,
                    "Lists AMQP 0.9.1 connections for the node",
                    "[--no-table-headers] [<column> ...] [--timeout <timeout>]",
                    List.of(),
                    0,
                    Verb.ANY_NUMBER,
                    ListingVerbs::connections),
            new Verb(
                    "list_consumers",
                    GROUP,
                    "Lists all consumers for a vhost",
                    COLUMNS_USAGE,
                    List.of(),
                    0,
                    Verb.ANY_NUMBER,
                    ListingVerbs::consumers),
            new Verb(
                    "list_exchanges",
                    GROUP,
                    "Lists exchanges",
                    COLUMNS_USAGE,
                    List.of(),
                    0,
                    Verb.ANY_NUMBER,
                    ListingVerbs::exchanges),
            new Verb(
                    "list_queues",
                    GROUP,
                    "Lists queues and their properties",
                    "[--vhost <vhost>] [--online] [--offline] [--local] [--no-table-headers] [<column>, ...]"
                            + " [--timeout <timeout>]",
                    List.of("--online", "--offline", "--local"),
                    0,
                    Verb.ANY_NUMBER,
                    ListingVerbs::queues),
            new Verb(
                    "list_unresponsive_queues",
                    GROUP,
                    "Tests queues to respond within timeout. Lists those which did not respond",
                    "[--local] [--queue-timeout <milliseconds>] [<column> ...]",
                    List.of("--local", "--queue-timeout="),
                    0,
                    Verb.ANY_NUMBER,
                    ListingVerbs::unresponsive),
            Verb.plain(
                    "ping",
                    GROUP,
                    "Checks that the node process is up and that the CLI tool can authenticate",
                    NodeVerbs::ping),
            new Verb(
                    "status",
                    GROUP,
                    "Displays status of a node",
                    "[--unit <unit>] [--timeout <timeout>]",
                    List.of("--unit="),
                    0,
                    0,
                    NodeStatus::print));

    private ListingVerbs() {}

    static List<Verb> all() {
        return VERBS;
    }

    private static void rows(
            Call call, List<String> columns, JsonNode views, BiFunction<JsonNode, String, JsonNode> value) {
        Listing listing = new Listing(call, columns);
        for (JsonNode view : views) {
            Map<String, JsonNode> row = new HashMap<>();
            columns.forEach(column -> row.put(column, value.apply(view, column)));
            listing.add(row);
        }
        listing.printStream();
    }

    /** The list, or nothing for a vhost that does not exist: listings make no difference. */
    private static JsonNode ofVhost(Call call, String kind) {
        ControlClient.Answer answer = call.client().ask("GET", ControlClient.path(kind, call.vhost()), null);
        return answer.isMissing()
                ? Texts.NODES.arrayNode()
                : ControlClient.accepted(answer).body();
    }

    private static void queues(Call call) {
        List<String> columns = Listing.columns(call, List.of("name", "messages"), QUEUE_COLUMNS);
        JsonNode all = ofVhost(call, "queues");
        call.say("Timeout: " + call.options().getOrDefault("timeout", "60") + ".0 seconds ...");
        call.say("Listing queues for vhost " + call.vhost() + " ...");
        Predicate<JsonNode> isShown = queue -> {
            boolean isUp = isUp(queue);
            boolean isAny = call.has("online") == call.has("offline");
            return (isAny || (isUp == call.has("online")))
                    && (!call.has("local") || queue.path("node").asString("").equals(call.node()));
        };
        var shown = Texts.NODES.arrayNode();
        all.values().stream().filter(isShown).forEach(shown::add);
        rows(call, columns, shown, ListingVerbs::queueValue);
    }

    private static boolean isUp(JsonNode queue) {
        String state = queue.path("state").asString("");
        return !state.equals("down") && !state.equals("stopped");
    }

    private static void unresponsive(Call call) {
        List<String> columns = Listing.columns(call, List.of("name"), QUEUE_COLUMNS);
        JsonNode all = ofVhost(call, "queues");
        call.say("Listing unresponsive queues for vhost " + call.vhost() + " ...");
        var shown = Texts.NODES.arrayNode();
        all.values().stream()
                .filter(queue -> isUp(queue) && !queue.has("messages"))
                .forEach(shown::add);
        rows(call, columns, shown, ListingVerbs::queueValue);
    }

    private static JsonNode queueValue(JsonNode queue, String column) {
        String leader = queue.path("node").asString("");
        return switch (column) {
            case "pid" -> Texts.of(leader.isEmpty() ? "" : Pids.ofQueue(queue, leader));
            case "slave_pids" -> pids(queue, queue.path("slave_nodes"));
            case "synchronised_slave_pids" -> pids(queue, queue.path("synchronised_slave_nodes"));
            case "owner_pid" ->
                queue.has("owner_pid_details")
                        ? Texts.of(Pids.ofChannel(
                                leader,
                                queue.path("owner_pid_details").path("name").asString("")))
                        : Texts.of("");
            case "policy", "operator_policy" -> queue.path(column);
            case "disk_reads", "disk_writes" -> Texts.of(0);
            case "state" ->
                Texts.of(
                        queue.path("state").asString("").equals("idle")
                                ? "running"
                                : queue.path("state").asString(""));
            default -> queue.path(column);
        };
    }

    private static JsonNode pids(JsonNode queue, JsonNode nodes) {
        if (!nodes.isArray()) {
            return Texts.of("");
        }
        return Texts.of(nodes.values().stream()
                .map(node -> Pids.ofQueue(queue, node.asString("")))
                .toList());
    }

    private static void exchanges(Call call) {
        List<String> columns = Listing.columns(call, List.of("name", "type"), EXCHANGE_COLUMNS);
        JsonNode exchanges = ofVhost(call, "exchanges");
        call.say("Listing exchanges for vhost " + call.vhost() + " ...");
        rows(call, columns, exchanges, JsonNode::path);
    }

    private static void bindings(Call call) {
        List<String> columns = Listing.columns(call, BINDING_COLUMNS, Set.copyOf(BINDING_COLUMNS));
        JsonNode bindings = ofVhost(call, "bindings");
        call.say("Listing bindings for vhost " + call.vhost() + "...");
        rows(call, columns, bindings, (binding, column) -> switch (column) {
            case "source_name" -> binding.path("source");
            case "source_kind" -> Texts.of("exchange");
            case "destination_name" -> binding.path("destination");
            case "destination_kind" -> binding.path("destination_type");
            default -> binding.path(column);
        });
    }

    private static void connections(Call call) {
        List<String> columns =
                Listing.columns(call, List.of("user", "peer_host", "peer_port", "state"), CONNECTION_COLUMNS);
        JsonNode connections = call.client().get("/connections");
        call.say("Listing connections ...");
        rows(call, columns, connections, (connection, column) -> switch (column) {
            case "pid" -> Texts.of(Pids.ofConnection(connection));
            case "protocol" -> Texts.of("{0,9,1}");
            default -> connection.path(column);
        });
    }

    private static void channels(Call call) {
        List<String> columns = Listing.columns(
                call, List.of("pid", "user", "consumer_count", "messages_unacknowledged"), CHANNEL_COLUMNS);
        JsonNode channels = call.client().get("/channels");
        call.say("Listing channels ...");
        rows(call, columns, channels, (channel, column) -> {
            String node = channel.path("node").asString("");
            return switch (column) {
                case "pid" -> Texts.of(Pids.ofChannel(node, channel.path("name").asString("")));
                case "connection" ->
                    Texts.of(Pids.ofChannel(
                            node,
                            channel.path("connection_details").path("name").asString("")));
                default -> channel.path(column);
            };
        });
    }

    private static void consumers(Call call) {
        List<String> columns = Listing.columns(
                call,
                List.of(
                        "queue_name",
                        "channel_pid",
                        "consumer_tag",
                        "ack_required",
                        "prefetch_count",
                        "active",
                        "arguments"),
                CONSUMER_COLUMNS);
        JsonNode consumers = ofVhost(call, "consumers");
        call.say("Listing consumers in vhost " + call.vhost() + " ...");
        rows(call, columns, consumers, (consumer, column) -> switch (column) {
            case "queue_name" -> consumer.path("queue").path("name");
            case "channel_pid" ->
                Texts.of(Pids.ofChannel(
                        consumer.path("channel_details").path("node").asString(""),
                        consumer.path("channel_details").path("name").asString("")));
            default -> consumer.path(column);
        });
    }
}
