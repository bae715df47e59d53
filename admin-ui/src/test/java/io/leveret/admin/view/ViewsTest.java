package io.leveret.admin.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.view.BindingView;
import io.leveret.model.view.ChannelView;
import io.leveret.model.view.ConnectionView;
import io.leveret.model.view.ConsumerView;
import io.leveret.model.view.DefinitionsView;
import io.leveret.model.view.ExchangeView;
import io.leveret.model.view.FeatureView;
import io.leveret.model.view.FetchedMessage;
import io.leveret.model.view.GlobalParameterView;
import io.leveret.model.view.NodeView;
import io.leveret.model.view.OverviewView;
import io.leveret.model.view.ParameterView;
import io.leveret.model.view.PermissionView;
import io.leveret.model.view.PolicyView;
import io.leveret.model.view.QueueView;
import io.leveret.model.view.TopicPermissionView;
import io.leveret.model.view.UserLimitsView;
import io.leveret.model.view.UserView;
import io.leveret.model.view.VhostLimitsView;
import io.leveret.model.view.VhostView;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Each view against an answer of RabbitMQ 3.10.8: read and written again, every field that we have keeps its name and its
 * value; what we leave out, and what we add, is listed here and nowhere else.
 */
class ViewsTest {
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    /** Of the runtime and the storage of another program; parts of views for which we have no source. */
    private static final Set<String> LEFT_OUT = Set.of(
            "garbage_collection",
            "reductions",
            "reductions_details",
            "incoming",
            "deliveries",
            "release_series_support_status",
            "applications",
            "contexts",
            "ra_open_file_metrics",
            "cluster_links",
            "metrics_gc_queue_length");

    /** Counters of the other runtime, and rates that change too little to be of use. */
    private static final Set<String> LEFT_OUT_STARTS =
            Set.of("gc_", "context_switches", "io_", "mnesia_", "msg_store_", "queue_index_");

    private static final Map<String, Set<String>> LEFT_OUT_IN = Map.of(
            "node.json",
            Set.of(
                    "connection_created",
                    "connection_closed",
                    "channel_created",
                    "channel_closed",
                    "queue_declared",
                    "queue_created",
                    "queue_deleted",
                    "fd_used_details",
                    "sockets_used_details",
                    "proc_used_details"));

    /** Ours: who copies what, and the part a node plays. */
    private static final Set<String> ADDED =
            Set.of("replication", "role", "version", "raft_leader", "paused", "leaders", "mirrors");

    static Stream<Arguments> views() {
        return Stream.of(
                Arguments.of("queue.json", QueueView.class),
                Arguments.of("queue-exclusive.json", QueueView.class),
                Arguments.of("connection.json", ConnectionView.class),
                Arguments.of("channel.json", ChannelView.class),
                Arguments.of("consumer.json", ConsumerView.class),
                Arguments.of("exchange.json", ExchangeView.class),
                Arguments.of("binding.json", BindingView.class),
                Arguments.of("vhost.json", VhostView.class),
                Arguments.of("user.json", UserView.class),
                Arguments.of("permission.json", PermissionView.class),
                Arguments.of("topic-permission.json", TopicPermissionView.class),
                Arguments.of("policy.json", PolicyView.class),
                Arguments.of("parameter.json", ParameterView.class),
                Arguments.of("global-parameter.json", GlobalParameterView.class),
                Arguments.of("vhost-limits.json", VhostLimitsView.class),
                Arguments.of("user-limits.json", UserLimitsView.class),
                Arguments.of("feature.json", FeatureView.class),
                Arguments.of("message.json", FetchedMessage.class),
                Arguments.of("node.json", NodeView.class),
                Arguments.of("overview.json", OverviewView.class),
                Arguments.of("definitions.json", DefinitionsView.class));
    }

    @ParameterizedTest
    @MethodSource("views")
    void keepsTheNamesAndValuesThatClientsKnow(String file, Class<?> type) throws IOException {
        JsonNode known = captured(file);
        JsonNode ours = JSON.valueToTree(JSON.treeToValue(known, type));
        Set<String> differences = new TreeSet<>();
        compare("", known, ours, LEFT_OUT_IN.getOrDefault(file, Set.of()), differences);
        assertThat(differences).isEmpty();
    }

    @Test
    void onlyAnExchangeThatIsAskedForAloneHasWhatFlowsThroughIt() {
        assertThat(exchange(null).has("outgoing")).isFalse();
        assertThat(exchange(List.of()).path("outgoing").toString()).isEqualTo("[]");
        assertThat(JSON.treeToValue(exchange(List.of()), ExchangeView.class).outgoing())
                .isEmpty();
    }

    private static JsonNode exchange(List<ExchangeView.Incoming> incoming) {
        return JSON.valueToTree(
                new ExchangeView("x", "/", "direct", true, false, false, Map.of(), null, null, null, incoming));
    }

    private static void compare(
            String path, JsonNode known, JsonNode ours, Set<String> leftOut, Set<String> differences) {
        if (known.isArray() && ours.isArray()) {
            for (int i = 0; i < known.size(); i++) {
                compare(path + "[" + i + "]", known.get(i), ours.path(i), leftOut, differences);
            }
            return;
        }
        if (!known.isObject() || !ours.isObject()) {
            if (!known.equals(ours) && !(known.isNumber() && known.asDouble() == ours.asDouble(Double.NaN))) {
                differences.add(path + ": " + known + " became " + ours);
            }
            return;
        }
        known.propertyStream().forEach(field -> {
            String name = field.getKey();
            if (!ours.has(name)) {
                if (!isLeftOut(path, name, leftOut)) {
                    differences.add(path + "." + name + " is gone");
                }
            } else {
                compare(path + "." + name, field.getValue(), ours.get(name), leftOut, differences);
            }
        });
        ours.propertyStream()
                .map(Map.Entry::getKey)
                .filter(name -> !known.has(name) && !ADDED.contains(name) && !isAnotherShape(path, ours.get(name)))
                .forEach(name -> differences.add(path + "." + name + " is new"));
    }

    private static boolean isLeftOut(String path, String name, Set<String> leftOut) {
        String plain = name.replace("_details", "");
        return LEFT_OUT.contains(name)
                || leftOut.contains(plain)
                || leftOut.contains(name)
                || LEFT_OUT_STARTS.stream().anyMatch(name::startsWith)
                || path.startsWith(".listeners") && name.equals("socket_opts")
                || path.contains("exchange_types") && name.equals("internal_purpose")
                || path.startsWith(".churn_rates") && name.endsWith("_details");
    }

    /** RabbitMQ leaves a null out where it has none to show. */
    private static boolean isAnotherShape(String path, JsonNode ours) {
        return ours.isNull() || (path.startsWith(".consumer_details") && ours.isNull());
    }

    private static JsonNode captured(String file) throws IOException {
        try (InputStream stream = ViewsTest.class.getResourceAsStream("/views/" + file)) {
            return JSON.readTree(Objects.requireNonNull(stream, file));
        }
    }
}
