package io.leveret.node;

import static io.leveret.node.ControlFixture.expect;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.impl.NetworkConnection;
import io.leveret.node.ControlFixture.Reply;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Date;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlApiTest {
    @TempDir
    static Path folder;

    private static ControlFixture node;

    @BeforeAll
    static void start() throws Exception {
        node = new ControlFixture(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        node.close();
    }

    private static Connection connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(node.amqpPort);
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection();
    }

    @Test
    void onlyFreshRequestsWithTheSecretAreAnswered() {
        long now = System.currentTimeMillis();
        String nonce = UUID.randomUUID().toString();
        expect(200, node.send("GET", "/users", "", "", ControlFixture.SECRET, now, nonce));
        expect(401, "sent before", node.send("GET", "/users", "", "", ControlFixture.SECRET, now, nonce));
        expect(401, "another secret", node.send("GET", "/users", "", "", "wrong", now, nonce + "1"));
        expect(401, "too old", node.send("GET", "/users", "", "", ControlFixture.SECRET, now - 100_000, nonce + "2"));
        expect(401, "nonce", node.send("GET", "/users", "", "", ControlFixture.SECRET, now, "short"));
    }

    @Test
    void unknownPathsAndMethods() {
        expect(404, "Not Found", node.get("/nosuch"));
        expect(405, node.ask("POST", "/users", ""));
        expect(404, node.get("/queues/nosuch"));
    }

    @Test
    void policiesAreValidatedStoredAndDeleted() {
        String good =
                "{\"pattern\":\"^h\\\\.\",\"definition\":{\"ha-mode\":\"all\"},\"priority\":3,\"apply-to\":\"queues\"}";
        expect(201, node.ask("PUT", "/policies/%2F/hp", good));
        expect(204, node.ask("PUT", "/policies/%2F/hp", good));
        expect(
                200,
                "{\"vhost\":\"/\",\"name\":\"hp\",\"pattern\":\"^h\\\\.\",\"apply-to\":\"queues\","
                        + "\"definition\":{\"ha-mode\":\"all\"},\"priority\":3}",
                node.get("/policies/%2F/hp"));
        expect(
                400,
                "Validation failed\\n\\nno policy provided\\n",
                node.ask("PUT", "/policies/%2F/bad", "{\"pattern\":\"^b\",\"definition\":{}}"));
        expect(400, "key_missing,pattern", node.ask("PUT", "/policies/%2F/bad", "{\"definition\":{}}"));
        expect(400, "not_json", node.ask("PUT", "/policies/%2F/bad", "{"));
        expect(
                400,
                "apply-to 'x' unrecognised",
                node.ask(
                        "PUT",
                        "/policies/%2F/bad",
                        "{\"pattern\":\"\",\"definition\":{\"max-length\":1},\"apply-to\":\"x\"}"));
        expect(
                400,
                "priority should be a number",
                node.ask(
                        "PUT",
                        "/policies/%2F/bad",
                        "{\"pattern\":\"\",\"definition\":{\"max-length\":1},\"priority\":\"x\"}"));
        expect(404, "vhost_not_found", node.ask("PUT", "/policies/nosuch/x", good));
        expect(
                400,
                "are not recognised policy settings",
                node.ask(
                        "PUT",
                        "/operator-policies/%2F/o",
                        "{\"pattern\":\"^o\",\"definition\":{\"ha-mode\":\"all\"}}"));
        expect(200, "\"matched\":", node.get("/policies/usage"));
        expect(
                200,
                "\"mirrors_added\":0",
                node.ask(
                        "POST",
                        "/policies/preview",
                        "{\"vhost\":\"/\",\"name\":\"n\",\"pattern\":\"^h\",\"definition\":{\"ha-mode\":\"all\"}}"));
        expect(204, node.ask("DELETE", "/policies/%2F/hp", ""));
        expect(404, node.ask("DELETE", "/policies/%2F/hp", ""));
    }

    @Test
    void queuesAreDeclaredShownAndDeleted() {
        expect(201, node.ask("PUT", "/queues/%2F/h.q", "{\"durable\":true,\"arguments\":{\"x-max-length\":5}}"));
        expect(204, node.ask("PUT", "/queues/%2F/h.q", "{\"durable\":true,\"arguments\":{\"x-max-length\":5}}"));
        expect(400, "inequivalent arg 'durable'", node.ask("PUT", "/queues/%2F/h.q", "{}"));
        expect(401, "Access refused.", node.ask("PUT", "/queues/%2F/amq.x", "{}"));
        expect(404, "vhost_not_found", node.ask("PUT", "/queues/nosuch/q", "{}"));
        expect(400, "not_boolean", node.ask("PUT", "/queues/%2F/h.b", "{\"durable\":\"yes\"}"));
        expect(400, "could not be contacted", node.ask("PUT", "/queues/%2F/h.n", "{\"node\":\"nosuch@localhost\"}"));
        Reply one = node.get("/queues/%2F/h.q");
        expect(200, "\"node\":\"rabbit1@localhost\"", one);
        assertThat(one.body()).contains("\"messages\":0", "\"state\":\"running\"", "\"consumer_details\":[]");
        expect(200, "\"name\":\"h.q\"", node.get("/queues"));
        expect(200, "\"name\":\"h.q\"", node.get("/queues/%2F?disable_stats=true"));
        expect(200, "\"properties_key\":\"h.q\"", node.get("/queues/%2F/h.q/bindings"));
        expect(400, "[\"unknown\",\"bogus\"]", node.ask("POST", "/queues/%2F/h.q/actions", "{\"action\":\"bogus\"}"));
        expect(204, node.ask("POST", "/queues/%2F/h.q/actions", "{\"action\":\"sync\"}"));
        expect(204, node.ask("DELETE", "/queues/%2F/h.q?if-unused=true&if-empty=true", ""));
        expect(404, node.ask("DELETE", "/queues/%2F/h.q", ""));
    }

    @Test
    void messagesArePublishedAndFetched() {
        expect(201, node.ask("PUT", "/queues/%2F/m.q", "{}"));
        String publish = "{\"properties\":{\"delivery_mode\":2,\"headers\":{\"a\":1}},\"routing_key\":\"m.q\","
                + "\"payload\":\"hello\",\"payload_encoding\":\"string\"}";
        expect(
                200,
                "{\"routed\":true,\"confirmed\":true}",
                node.ask("POST", "/exchanges/%2F/amq.default/publish", publish));
        expect(
                200,
                "{\"routed\":false}",
                node.ask("POST", "/exchanges/%2F/amq.default/publish", publish.replace("m.q", "nosuch")));
        expect(
                400,
                "404 NOT_FOUND - no exchange 'nosuch' in vhost '/'",
                node.ask("POST", "/exchanges/%2F/nosuch/publish", publish));
        expect(
                400,
                "[\"not_int\",\"delivery_mode\"]",
                node.ask(
                        "POST",
                        "/exchanges/%2F/amq.default/publish",
                        publish.replace("\"delivery_mode\":2", "\"delivery_mode\":\"2\"")));
        String impostor = publish.replace("\"delivery_mode\":2", "\"user_id\":\"other\"");
        expect(
                400,
                "406 PRECONDITION_FAILED - user_id property set to 'other' but authenticated user was 'guest'",
                node.ask("POST", "/exchanges/%2F/amq.default/publish", impostor, "guest"));
        String get = "{\"count\":5,\"ackmode\":\"ack_requeue_true\",\"encoding\":\"auto\"}";
        Reply peeked = node.ask("POST", "/queues/%2F/m.q/get", get);
        expect(200, "\"payload\":\"hello\"", peeked);
        assertThat(peeked.body())
                .contains(
                        "\"payload_bytes\":5", "\"redelivered\":false", "\"delivery_mode\":2", "\"headers\":{\"a\":1}");
        Reply taken = node.ask(
                "POST",
                "/queues/%2F/m.q/get",
                "{\"count\":1,\"ackmode\":\"ack_requeue_false\",\"encoding\":\"base64\",\"truncate\":2}");
        expect(200, "\"redelivered\":true", taken);
        assertThat(taken.body()).contains("\"payload\":\"aGU=\"");
        expect(200, "[]", node.ask("POST", "/queues/%2F/m.q/get", get));
        expect(400, "unknown ackmode", node.ask("POST", "/queues/%2F/m.q/get", get.replace("ack_requeue_true", "x")));
        expect(200, "{\"status\":\"ok\"}", node.get("/aliveness-test/%2F"));
        expect(204, node.ask("DELETE", "/queues/%2F/m.q/contents", ""));
        expect(404, node.ask("DELETE", "/queues/%2F/nosuch/contents", ""));
    }

    @Test
    void exchangesAndBindings() {
        expect(201, node.ask("PUT", "/exchanges/%2F/h.ex", "{\"type\":\"topic\",\"durable\":true}"));
        expect(204, node.ask("PUT", "/exchanges/%2F/h.ex", "{\"type\":\"topic\",\"durable\":true}"));
        expect(400, "inequivalent arg 'type'", node.ask("PUT", "/exchanges/%2F/h.ex", "{\"type\":\"fanout\"}"));
        expect(400, "invalid exchange type 'bogus'", node.ask("PUT", "/exchanges/%2F/h.e2", "{\"type\":\"bogus\"}"));
        expect(201, node.ask("PUT", "/queues/%2F/b.q", "{}"));
        Reply bound = node.ask("POST", "/bindings/%2F/e/h.ex/q/b.q", "{\"routing_key\":\"a.#\",\"arguments\":{}}");
        expect(201, bound);
        assertThat(bound.response().headers().firstValue("Location")).contains("b.q/a.%23");
        expect(200, "\"routing_key\":\"a.#\"", node.get("/bindings/%2F/e/h.ex/q/b.q/a.%23"));
        expect(200, "\"destination\":\"b.q\"", node.get("/exchanges/%2F/h.ex/bindings/source"));
        expect(400, "in use", node.ask("DELETE", "/exchanges/%2F/h.ex?if-unused=true", ""));
        expect(204, node.ask("DELETE", "/bindings/%2F/e/h.ex/q/b.q/a.%23", ""));
        expect(404, node.ask("DELETE", "/bindings/%2F/e/h.ex/q/b.q/a.%23", ""));
        expect(
                404,
                "no exchange 'nosuch' in vhost '/'",
                node.ask("POST", "/bindings/%2F/e/nosuch/q/b.q", "{\"routing_key\":\"k\"}"));
        expect(401, node.ask("DELETE", "/exchanges/%2F/amq.direct", ""));
        expect(204, node.ask("DELETE", "/exchanges/%2F/h.ex", ""));
        expect(404, node.ask("DELETE", "/exchanges/%2F/h.ex", ""));
    }

    @Test
    void usersPermissionsAndTheirChecks() {
        expect(201, node.ask("PUT", "/users/reader", "{\"password\":\"pw\",\"tags\":\"monitoring, management\"}"));
        expect(200, "\"tags\":[\"monitoring\",\"management\"]", node.get("/users/reader"));
        expect(400, "tags_not_present", node.ask("PUT", "/users/reader", "{\"password\":\"x\"}"));
        expect(400, "not_base64", node.ask("PUT", "/users/reader", "{\"password_hash\":\"not!\",\"tags\":\"\"}"));
        String login = "{\"username\":\"reader\",\"password\":\"pw\",\"peer_host\":\"10.0.0.1\"}";
        expect(200, "\"vhosts\":[]", node.ask("POST", "/authenticate", login));
        expect(401, "Login failed", node.ask("POST", "/authenticate", login.replace("pw", "no")));
        expect(
                401,
                node.ask(
                        "POST",
                        "/authenticate",
                        "{\"username\":\"guest\",\"password\":\"guest\",\"peer_host\":\"10.0.0.1\"}"));
        expect(200, "\"name\":\"reader\"", node.get("/users/without-permissions"));
        String permission = "{\"configure\":\"\",\"write\":\"\",\"read\":\"^open\"}";
        expect(201, node.ask("PUT", "/permissions/%2F/reader", permission));
        expect(204, node.ask("PUT", "/permissions/%2F/reader", permission));
        expect(400, "vhost_or_user_not_found", node.ask("PUT", "/permissions/%2F/nosuch", permission));
        expect(400, "is invalid", node.ask("PUT", "/permissions/%2F/reader", permission.replace("^open", "(")));
        expect(200, "\"vhosts\":[\"/\"]", node.ask("POST", "/authenticate", login));
        expect(401, "Access refused.", node.ask("PUT", "/queues/%2F/open.q", "{}", "reader"));
        expect(201, node.ask("PUT", "/queues/%2F/open.q", "{}"));
        String get = "{\"count\":1,\"ackmode\":\"ack_requeue_true\",\"encoding\":\"auto\"}";
        expect(200, node.ask("POST", "/queues/%2F/open.q/get", get, "reader"));
        expect(204, node.ask("PUT", "/user-limits/reader/max-channels", "{\"value\":5}"));
        expect(200, "[{\"user\":\"reader\",\"value\":{\"max-channels\":5}}]", node.get("/user-limits"));
        expect(
                201,
                node.ask(
                        "PUT",
                        "/topic-permissions/%2F/reader",
                        "{\"exchange\":\"amq.topic\",\"write\":\"^a\",\"read\":\".*\"}"));
        expect(204, node.ask("DELETE", "/topic-permissions/%2F/reader", ""));
        expect(404, node.ask("DELETE", "/topic-permissions/%2F/reader", ""));
        expect(204, node.ask("POST", "/users/bulk-delete", "{\"users\":[\"reader\"]}"));
        expect(400, "no_such_user", node.ask("POST", "/users/bulk-delete", "{\"users\":[\"reader\"]}"));
    }

    @Test
    void vhostsLimitsAndParameters() {
        expect(201, node.ask("PUT", "/vhosts/hv", "{\"description\":\"d\",\"tags\":\"a,b\"}", "guest"));
        expect(200, "\"tags\":[\"a\",\"b\"]", node.get("/vhosts/hv"));
        expect(200, "\"user\":\"guest\"", node.get("/vhosts/hv/permissions"));
        expect(204, node.ask("PUT", "/vhosts/hv", "{}"));
        expect(200, "\"description\":\"d\"", node.get("/vhosts/hv"));
        expect(204, node.ask("PUT", "/vhost-limits/hv/max-queues", "{\"value\":0}"));
        expect(400, "queue limit in vhost", node.ask("PUT", "/queues/hv/q", "{}"));
        expect(400, "Unrecognised terms", node.ask("PUT", "/vhost-limits/hv/bogus", "{\"value\":5}"));
        expect(400, "should be a number", node.ask("PUT", "/vhost-limits/hv/max-queues", "{\"value\":\"x\"}"));
        expect(204, node.ask("DELETE", "/vhost-limits/hv/max-queues", ""));
        expect(200, "[]", node.get("/vhost-limits/hv"));
        expect(201, node.ask("PUT", "/parameters/shovel/hv/s", "{\"value\":{\"src-queue\":\"q\"}}"));
        expect(200, "\"src-queue\":\"q\"", node.get("/parameters/shovel/hv/s"));
        expect(400, "component bogus not found", node.ask("PUT", "/parameters/bogus/hv/s", "{\"value\":{}}"));
        expect(204, node.ask("DELETE", "/parameters/shovel/hv/s", ""));
        expect(201, node.ask("PUT", "/global-parameters/gp", "{\"value\":5}"));
        expect(200, "\"value\":5", node.get("/global-parameters/gp"));
        expect(204, node.ask("DELETE", "/global-parameters/gp", ""));
        expect(204, node.ask("PUT", "/cluster-name", "{\"name\":\"golden\"}"));
        expect(200, "{\"name\":\"golden\"}", node.get("/cluster-name"));
        expect(204, node.ask("DELETE", "/vhosts/hv", ""));
        expect(404, node.ask("DELETE", "/vhosts/hv", ""));
    }

    @Test
    void whatIsTooLongOrTooDeepIsRefused() {
        expect(
                400,
                "routing_key is longer",
                node.ask(
                        "POST",
                        "/exchanges/%2F/amq.fanout/publish",
                        "{\"properties\":{},\"payload\":\"\",\"routing_key\":\"" + "k".repeat(256) + "\"}"));
        expect(
                400,
                "not_json",
                node.ask(
                        "PUT",
                        "/queues/%2F/deep",
                        "{\"arguments\":" + "{\"a\":".repeat(100) + "1" + "}".repeat(100) + "}"));
    }

    @Test
    void whatIsPublishedIsCountedByExchangeAndShownWithItsChannels() throws Exception {
        expect(201, node.ask("PUT", "/queues/%2F/counted.q", "{}"));
        try (Connection connection = connect()) {
            Channel channel = connection.createChannel();
            channel.exchangeDeclare("counted", "fanout");
            channel.queueBind("counted.q", "counted", "");
            channel.queueBind("counted.q", "counted", "again");
            channel.confirmSelect();
            AMQP.BasicProperties stamped = new AMQP.BasicProperties.Builder()
                    .deliveryMode(2)
                    .timestamp(new Date(1_700_000_000_000L))
                    .build();
            channel.basicPublish("counted", "", stamped, new byte[10]);
            channel.basicPublish("counted", "", null, new byte[10]);
            channel.waitForConfirms(30_000);
            Reply exchange = node.get("/exchanges/%2F/counted");
            expect(200, "\"publish_in\":2", exchange);
            assertThat(exchange.body()).contains("\"publish_out\":2", "\"incoming\":[{\"channel_details\":{");
            expect(
                    200,
                    "\"publishes\":[{\"exchange\":{\"name\":\"counted\"",
                    node.get("/channels/" + escaped(name(connection) + " (1)")));
            Reply queue = node.get("/queues/%2F/counted.q");
            expect(200, "\"head_message_timestamp\":1700000000", queue);
            assertThat(queue.body())
                    .contains("\"message_bytes_persistent\":10", "\"messages_ready_ram\":2", "\"len\":2");
        }
        // What closed channels have published is not forgotten.
        Awaitility.await().untilAsserted(() -> expect(200, "\"incoming\":[]", node.get("/exchanges/%2F/counted")));
        expect(200, "\"publish_in\":2", node.get("/exchanges/%2F/counted"));
        expect(200, "\"queue_created\":", node.get("/overview"));
        expect(204, node.ask("DELETE", "/queues/%2F/counted.q", ""));
        expect(204, node.ask("DELETE", "/exchanges/%2F/counted", ""));
    }

    /** As it is listed, perhaps beside one of another test that the node has not quite left yet. */
    private static String name(Connection connection) {
        return "127.0.0.1:" + ((NetworkConnection) connection).getLocalPort() + " -> 127.0.0.1:" + node.amqpPort;
    }

    private static String escaped(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Test
    void anExclusiveQueueNamesItsConnection() throws Exception {
        try (Connection connection = connect()) {
            String queue = connection.createChannel().queueDeclare().getQueue();
            Reply shown = node.get("/queues/%2F/" + queue);
            expect(200, "\"owner_pid_details\":{\"name\":\"127.0.0.1:", shown);
            assertThat(shown.body()).contains("\"peer_host\":\"127.0.0.1\"");
        }
    }

    @Test
    void whatIsNotThereHasNoBindings() {
        expect(200, "[]", node.get("/bindings/%2F/e/nosuch/q/nosuch"));
        expect(200, "[]", node.get("/exchanges/%2F/nosuch/bindings/source"));
        expect(404, node.get("/bindings/nosuch/e/amq.direct/q/nosuch"));
    }

    @Test
    void theMemoryLimitCanBeSet() {
        expect(204, node.ask("PUT", "/node/memory-limit", "{\"bytes\":123456}"));
        expect(200, "\"mem_limit\":123456", node.get("/nodes"));
        expect(204, node.ask("PUT", "/node/memory-limit", "{\"fraction\":0.4}"));
        expect(204, node.ask("PUT", "/node/disk-limit", "{\"bytes\":1000}"));
        expect(200, "\"disk_free_limit\":1000", node.get("/nodes"));
        expect(400, "key_missing,bytes", node.ask("PUT", "/node/disk-limit", "{}"));
    }

    @Test
    void usersMayHaveSoManyConnectionsAndChannels() throws Exception {
        expect(201, node.ask("PUT", "/users/few", "{\"password\":\"pw\",\"tags\":\"\"}"));
        expect(201, node.ask("PUT", "/permissions/%2F/few", "{\"configure\":\"\",\"write\":\"\",\"read\":\"\"}"));
        expect(204, node.ask("PUT", "/user-limits/few/max-connections", "{\"value\":1}"));
        expect(204, node.ask("PUT", "/user-limits/few/max-channels", "{\"value\":1}"));
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(node.amqpPort);
        factory.setUsername("few");
        factory.setPassword("pw");
        factory.setAutomaticRecoveryEnabled(false);
        Connection first = factory.newConnection();
        assertThatThrownBy(factory::newConnection)
                .hasStackTraceContaining("connection refused for user 'few': user connection limit (1) is reached");
        first.createChannel();
        assertThatThrownBy(first::createChannel)
                .hasStackTraceContaining("has reached the maximum allowed user limit of (1)");
        Awaitility.await().until(() -> !first.isOpen());
        expect(204, node.ask("DELETE", "/users/few", ""));
    }

    @Test
    void connectionsChannelsAndConsumersAreShownAndClosed() throws Exception {
        expect(201, node.ask("PUT", "/queues/%2F/c.q", "{}"));
        try (Connection connection = connect()) {
            Channel channel = connection.createChannel();
            channel.basicQos(7);
            channel.basicConsume("c.q", false, "tag", (tag, message) -> {}, tag -> {});
            expect(200, "\"user\":\"guest\"", node.get("/connections"));
            expect(200, "\"prefetch_count\":7", node.get("/channels"));
            expect(200, "\"consumer_tag\":\"tag\"", node.get("/consumers/%2F"));
            expect(200, "\"consumer_tag\":\"tag\"", node.get("/queues/%2F/c.q"));
            expect(400, "in use", node.ask("DELETE", "/queues/%2F/c.q?if-unused=true", ""));
            String local = "127.0.0.1%3A" + connection.getClientProvidedName();
            expect(404, node.ask("DELETE", "/connections/" + local, ""));
            String path = "/connections/" + escaped(name(connection));
            expect(200, "\"name\":\"" + name(connection), node.get(path + "/channels"));
            expect(204, node.ask("DELETE", path, ""));
            Awaitility.await().until(() -> !connection.isOpen());
        } catch (com.rabbitmq.client.AlreadyClosedException e) {
            assertThat(e.getMessage()).contains("Closed via management plugin");
        }
    }

    @Test
    void theClusterIsShownAtAGlance() {
        Reply overview = node.get("/overview");
        expect(200, "\"rabbitmq_version\":\"3.10.8\"", overview);
        assertThat(overview.body()).contains("\"product_name\":\"Leveret\"", "\"object_totals\"", "\"listeners\"");
        expect(200, "\"name\":\"rabbit1@localhost\"", node.get("/nodes"));
        expect(200, "\"mem_used\":", node.get("/nodes/rabbit1@localhost"));
        expect(404, node.get("/nodes/nosuch@localhost"));
        expect(200, "\"state\":\"enabled\"", node.get("/feature-flags"));
        expect(204, node.ask("POST", "/rebalance/queues", ""));
        expect(400, "the node is running", node.ask("DELETE", "/nodes/rabbit1@localhost", ""));
        expect(200, "ok", node.get("/health/checks/alarms"));
        expect(200, "ok", node.get("/health/checks/local-alarms"));
        expect(200, "amqp", node.get("/health/checks/protocol-listener/amqp091"));
        expect(503, "No active listener", node.get("/health/checks/port-listener/1"));
        expect(400, "Invalid port", node.get("/health/checks/port-listener/x"));
        expect(200, "ok", node.get("/healthchecks/node"));
        expect(404, node.get("/healthchecks/node/nosuch@localhost"));
        expect(200, "ok", node.get("/health/checks/node-is-mirror-sync-critical"));
    }

    @Test
    void aStoppedBrokerIsToldFromAProcessThatIsGone() {
        expect(204, node.ask("POST", "/node/process/stop_app", ""));
        expect(200, "stopped", node.get("/node/process"));
        expect(503, "the broker on this node is stopped", node.get("/queues"));
        expect(204, node.ask("POST", "/node/process/start_app", ""));
        expect(200, "running", node.get("/node"));
    }
}
