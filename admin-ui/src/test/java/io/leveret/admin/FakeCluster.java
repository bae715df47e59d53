package io.leveret.admin;

import io.leveret.model.control.AuthenticatedUser;
import io.leveret.model.control.PolicyPreview;
import io.leveret.model.control.PolicyTie;
import io.leveret.model.control.PolicyUsage;
import io.leveret.model.view.NamedView;
import io.leveret.model.view.PermissionView;
import io.leveret.model.view.PolicyView;
import io.leveret.model.view.UserLimitsView;
import io.leveret.model.view.VhostLimitsView;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/** A {@link FakeNode} with users, three queues, and policies that can be saved and deleted. */
public final class FakeCluster {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Map<String, AuthenticatedUser> USERS = Map.of(
            "guest", new AuthenticatedUser("guest", List.of("administrator"), List.of("/")),
            "mon", new AuthenticatedUser("mon", List.of("monitoring"), List.of("/")),
            "pol", new AuthenticatedUser("pol", List.of("policymaker"), List.of("/")),
            "mgt", new AuthenticatedUser("mgt", List.of("management"), List.of("/")),
            "non", new AuthenticatedUser("non", List.of(), List.of("/")));

    private final Map<String, PolicyView> policies = new TreeMap<>();

    private FakeCluster() {}

    /** Teaches a node. Every user's password is {@code pw}. */
    public static FakeNode on(FakeNode node) {
        new FakeCluster().teach(node);
        return node;
    }

    private void teach(FakeNode node) {
        node.on("POST /authenticate", request -> {
            Map<?, ?> credentials = JSON.readValue(request.body(), Map.class);
            AuthenticatedUser user = USERS.get(String.valueOf(credentials.get("username")));
            return user != null && "pw".equals(credentials.get("password"))
                    ? FakeNode.json(200, user)
                    : FakeNode.refused(401, "not_authorised", "Login failed");
        });
        node.shows("/overview", Samples.overview());
        node.shows("/nodes/rabbit1%40localhost", Samples.node(Samples.N1, true));
        node.shows("/vhost-limits", List.of(new VhostLimitsView("/", Map.of("max-queues", 3, "max-connections", 50))));
        node.shows("/user-limits", List.of(new UserLimitsView("guest", Map.of("max-channels", 1))));
        node.shows("/connections/c1/channels", List.of(Samples.channel("c1", "guest")));
        node.shows("/channels/c1%20%281%29", Samples.channel("c1", "guest"));
        node.shows("/exchanges/%2F/amq.topic", Samples.exchange("amq.topic", "topic"));
        node.shows(
                "/exchanges/%2F/amq.topic/bindings/source",
                List.of(Samples.binding("amq.topic", "orders.new", "orders.#")));
        node.shows("/exchanges/%2F/amq.topic/bindings/destination", List.of());
        node.shows("/cluster-name", new NamedView("shop-eu"));
        node.shows(
                "/nodes",
                List.of(
                        Samples.node(Samples.N1, true),
                        Samples.node(Samples.N2, true),
                        Samples.node(Samples.N3, true)));
        node.shows("/queues", Samples.queues());
        node.shows("/queues/%2F", Samples.queues());
        Samples.queues().forEach(queue -> {
            node.shows("/queues/%2F/" + queue.name(), queue);
            node.shows(
                    "/queues/%2F/" + queue.name() + "/bindings",
                    List.of(Samples.binding("", queue.name(), queue.name())));
        });
        node.shows("/queues/v1", List.of());
        node.shows("/vhosts", List.of(Samples.vhost("/"), Samples.vhost("v1")));
        node.shows("/vhosts/%2F", Samples.vhost("/"));
        node.shows("/vhosts/v1", Samples.vhost("v1"));
        node.shows("/users", List.of(Samples.user("guest", "administrator"), Samples.user("mon", "monitoring")));
        node.shows("/users/guest", Samples.user("guest", "administrator"));
        node.shows("/topic-permissions", List.of());
        node.shows("/permissions", List.of(new PermissionView("guest", "/", ".*", ".*", ".*")));
        node.shows("/exchanges", List.of(Samples.exchange("", "direct"), Samples.exchange("amq.topic", "topic")));
        node.shows("/exchanges/%2F", List.of(Samples.exchange("amq.topic", "topic")));
        node.shows("/connections", List.of(Samples.connection("c1", "guest"), Samples.connection("c2", "mgt")));
        node.shows("/connections/c1", Samples.connection("c1", "guest"));
        node.shows("/channels", List.of(Samples.channel("c1", "guest")));
        node.shows("/consumers", List.of(Samples.consumer("orders.new")));
        node.shows("/operator-policies", List.of());
        node.shows("/operator-policies/%2F", List.of());
        save(Samples.HA_ALL);
        save(Samples.TTL);
        node.on("GET /policies", request -> FakeNode.json(200, policies.values()));
        node.on("GET /policies/%2F", request -> FakeNode.json(200, policies.values()));
        node.on(
                "GET /policies/usage",
                request -> FakeNode.json(
                        200,
                        policies.values().stream()
                                .map(policy -> new PolicyUsage("/", policy.name(), 2, 2, List.of()))
                                .toList()));
        node.on("POST /policies/preview", request -> preview(request.body()));
        for (String name : List.of("ha-all", "ttl", "new", "p", "a%20b%2Fc", "two-copies")) {
            teachPolicy(node, name);
        }
    }

    private void teachPolicy(FakeNode node, String encoded) {
        String name = URLDecoder.decode(encoded, StandardCharsets.UTF_8);
        node.on("PUT /policies/%2F/" + encoded, request -> {
            Map<?, ?> body = JSON.readValue(request.body(), Map.class);
            if (isRefused(body)) {
                return FakeNode.refused(400, "bad_request", "Validation failed\n\nno policy provided\n");
            }
            boolean isNew = !policies.containsKey(name);
            save(policy(name, body));
            return FakeNode.empty(isNew ? 201 : 204);
        });
        node.on(
                "DELETE /policies/%2F/" + encoded,
                request -> policies.remove(name) == null
                        ? FakeNode.refused(404, "Object Not Found", "Not Found")
                        : FakeNode.empty(204));
        node.on("GET /policies/%2F/" + encoded, request -> {
            PolicyView policy = policies.get(name);
            return policy == null ? FakeNode.refused(404, "Object Not Found", "Not Found") : FakeNode.json(200, policy);
        });
    }

    private void save(PolicyView policy) {
        policies.put(policy.name(), policy);
    }

    private static boolean isRefused(Map<?, ?> body) {
        return body.get("definition") instanceof Map<?, ?> definition && definition.isEmpty();
    }

    private static FakeNode.Answer preview(String json) {
        Map<?, ?> body = JSON.readValue(json, Map.class);
        if (isRefused(body)) {
            return FakeNode.refused(400, "bad_request", "Validation failed\n\nno policy provided\n");
        }
        return FakeNode.json(
                200,
                new PolicyPreview(
                        2,
                        1,
                        1,
                        2,
                        1,
                        2_100_000_000L,
                        0,
                        List.of(new PolicyTie("ttl", 10, 1, "new")),
                        List.of(new PolicyPreview.QueueChange(
                                "orders.new",
                                "new",
                                List.of(Samples.N1, Samples.N2, Samples.N3),
                                List.of(Samples.N2, Samples.N3)))));
    }

    private static PolicyView policy(String name, Map<?, ?> body) {
        Map<String, Object> definition = new TreeMap<>();
        ((Map<?, ?>) body.get("definition")).forEach((key, value) -> definition.put(String.valueOf(key), value));
        return new PolicyView(
                "/",
                name,
                String.valueOf(body.get("pattern")),
                body.containsKey("apply-to") ? String.valueOf(body.get("apply-to")) : "all",
                definition,
                body.get("priority") instanceof Number number ? number.intValue() : 0);
    }
}
