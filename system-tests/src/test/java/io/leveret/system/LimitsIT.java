package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Limits and alarms of a cluster: each is reached, refused in the words that clients know, and recovered from. */
@Timeout(300)
class LimitsIT {
    private static final String UNBLOCKED = "unblocked";
    private static final int HEARTBEAT_SECONDS = 5;
    private static Cluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = Cluster.start("limits", 3);
    }

    @AfterEach
    void wholeAgain() throws Exception {
        cluster.startTheDead();
        if (cluster.api("GET", "/api/health/checks/alarms", "").status() != 200) {
            ctl(1, "set_vm_memory_high_watermark", "0.4"); // a test that failed has left it on
            ctl(3, "set_disk_free_limit", "1GB");
            awaitAlarm(false);
        }
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    /** A connection that publishes, and what it is told about being blocked. */
    private static final class Producer implements AutoCloseable {
        final Connection connection;
        final Channel channel;
        final BlockingQueue<String> told = new LinkedBlockingQueue<>();

        Producer(int node) throws Exception {
            this(node, ConnectionFactory.DEFAULT_HEARTBEAT);
        }

        Producer(int node, int heartbeatSeconds) throws Exception {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setPort(cluster.amqpPort(node));
            factory.setAutomaticRecoveryEnabled(false);
            factory.setHandshakeTimeout(Cluster.HANDSHAKE_MILLIS);
            factory.setRequestedHeartbeat(heartbeatSeconds);
            connection = factory.newConnection();
            connection.addBlockedListener(told::add, () -> told.add(UNBLOCKED));
            channel = connection.createChannel();
        }

        void publish(String queue) throws Exception {
            channel.basicPublish("", queue, MessageProperties.MINIMAL_PERSISTENT_BASIC, new byte[10]);
        }

        String next() throws InterruptedException {
            return told.poll(60, TimeUnit.SECONDS);
        }

        @Override
        public void close() throws Exception {
            connection.abort(1000);
        }
    }

    private static void ctl(int node, String... words) throws Exception {
        Cluster.Output output = cluster.ctl(node, words);
        assertThat(output.code()).as(output.err()).isZero();
    }

    private static void declareMirrored(String queue) throws Exception {
        cluster.policy("limits", "^limits\\\\.", "{\"ha-mode\":\"all\"}");
        try (Connection connection = cluster.connect(1)) {
            connection.createChannel().queueDeclare(queue, true, false, false, Map.of());
        }
        cluster.awaitInSync(queue, 2);
    }

    private static void awaitAlarm(boolean isOn) {
        Awaitility.await()
                .until(() -> cluster.api("GET", "/api/health/checks/alarms", "").status() == (isOn ? 503 : 200));
    }

    /** A node hears of another's alarm a moment later than the one who asks the cluster: tried with a connection of its own. */
    private static void awaitBlocked(int node, String reason) {
        Awaitility.await(reason + " on node " + node).until(() -> {
            try (Producer probe = new Producer(node)) {
                probe.publish("nowhere");
                return reason.equals(probe.told.poll(5, TimeUnit.SECONDS));
            }
        });
    }

    @Test
    void publishersOnEveryNodeAreBlockedWhileConsumersGoOn() throws Exception {
        declareMirrored("limits.blocked");
        try (Producer one = new Producer(1, HEARTBEAT_SECONDS);
                Producer two = new Producer(2, HEARTBEAT_SECONDS);
                Producer three = new Producer(3, HEARTBEAT_SECONDS);
                Connection consumer = cluster.connect(2)) {
            List<Producer> all = List.of(one, two, three);
            for (int i = 0; i < 300; i++) {
                all.get(i % 3).publish("limits.blocked");
            }
            ctl(1, "set_vm_memory_high_watermark", "0");
            awaitAlarm(true);
            for (int node = 1; node <= 3; node++) {
                awaitBlocked(node, "low on memory");
            }
            for (Producer each : all) {
                assertThat(each.told).as("told before it publishes").isEmpty();
                each.publish("limits.blocked");
                assertThat(each.next()).isEqualTo("low on memory");
            }
            long blocked = System.nanoTime();
            // A node that is too busy to report in time is left out of the answer.
            Awaitility.await().untilAsserted(LimitsIT::checkHowAnAlarmIsShown);
            // Those who only consume are not blocked, also by what is published before the alarm ends.
            BlockingQueue<Long> delivered = new LinkedBlockingQueue<>();
            Channel channel = consumer.createChannel();
            channel.basicConsume(
                    "limits.blocked",
                    false,
                    (tag, message) -> {
                        channel.basicAck(message.getEnvelope().getDeliveryTag(), false);
                        delivered.add(message.getEnvelope().getDeliveryTag());
                    },
                    tag -> {});
            Awaitility.await().until(() -> delivered.size() >= 300);
            // Blocked for longer than two intervals of heartbeats, none was taken for dead. Most of it has passed by
            // now.
            long enough = TimeUnit.MILLISECONDS.toNanos(2_500L * HEARTBEAT_SECONDS);
            Awaitility.await().until(() -> System.nanoTime() - blocked > enough);
            assertThat(all).allMatch(each -> each.connection.isOpen());
            ctl(1, "set_vm_memory_high_watermark", "0.4");
            for (Producer each : all) {
                assertThat(each.next()).isEqualTo(UNBLOCKED);
                each.publish("limits.blocked");
            }
            Awaitility.await().until(() -> delivered.size() == 306);
            awaitAlarm(false);
        }
    }

    private static void checkHowAnAlarmIsShown() throws Exception {
        Cluster.Answer everywhere = cluster.api("GET", "/api/health/checks/alarms", "");
        assertThat(everywhere.json().path("reason").asString()).isEqualTo("There are alarms in effect in the cluster");
        JsonNode alarm = everywhere.json().path("alarms").path(0);
        assertThat(alarm.path("node").asString()).isEqualTo(Cluster.name(1));
        assertThat(alarm.path("resource").asString()).isEqualTo("memory");
        assertThat(cluster.api("GET", "/api/aliveness-test/%2F", "").status()).isEqualTo(503);
        JsonNode node = cluster.get("/api/nodes/" + Cluster.name(1));
        assertThat(node.path("mem_alarm").asBoolean()).isTrue();
        assertThat(node.path("mem_limit").asLong()).isZero();
        assertThat(cluster.get("/api/nodes/" + Cluster.name(2))
                        .path("mem_alarm")
                        .asBoolean())
                .isFalse();
        assertThat(cluster.ctl(2, "status").out()).contains("Memory alarm on node " + Cluster.name(1));
        assertThat(cluster.ctl(2, "cluster_status").out()).contains("Memory alarm on node " + Cluster.name(1));
        assertThat(cluster.ctl(2, "list_connections", "user", "state").out())
                .contains("guest\tblocked", "guest\tblocking");
    }

    @Test
    void publishersAreUnblockedWhenTheLastAlarmedNodeDies() throws Exception {
        declareMirrored("limits.dies");
        try (Producer one = new Producer(1);
                Producer two = new Producer(2)) {
            ctl(3, "set_disk_free_limit", "900000GB");
            awaitAlarm(true);
            awaitBlocked(1, "low on disk");
            one.publish("limits.dies");
            assertThat(one.next()).isEqualTo("low on disk");
            ctl(1, "set_vm_memory_high_watermark", "absolute", "1MB");
            Awaitility.await()
                    .until(() -> cluster.get("/api/nodes/" + Cluster.name(1))
                            .path("mem_alarm")
                            .asBoolean());
            awaitBlocked(2, "low on disk & memory");
            two.publish("limits.dies");
            assertThat(two.next()).isEqualTo("low on disk & memory");
            ctl(1, "set_vm_memory_high_watermark", "0.4");
            Awaitility.await()
                    .until(() -> !cluster.get("/api/nodes/" + Cluster.name(1))
                            .path("mem_alarm")
                            .asBoolean());
            assertThat(one.told).as("told while one alarm is left").isEmpty();
            assertThat(two.told).as("told while one alarm is left").isEmpty();
            cluster.kill(3);
            assertThat(one.next()).isEqualTo(UNBLOCKED);
            assertThat(two.next()).isEqualTo(UNBLOCKED);
            one.channel.confirmSelect();
            one.publish("limits.dies");
            one.channel.waitForConfirmsOrDie(60_000);
        }
        cluster.restart(3);
        awaitAlarm(false);
    }

    private static Connection connect(int node, String user, String vhost) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setPort(cluster.amqpPort(node));
        factory.setAutomaticRecoveryEnabled(false);
        factory.setHandshakeTimeout(Cluster.HANDSHAKE_MILLIS);
        factory.setUsername(user);
        factory.setPassword(user);
        factory.setVirtualHost(vhost);
        return factory.newConnection();
    }

    private static void api(String method, String path, String body) throws Exception {
        assertThat(cluster.api(method, path, body).status()).as(path).isBetween(200, 299);
    }

    private static void user(String name, String vhost) throws Exception {
        api("PUT", "/api/vhosts/" + vhost, "{}");
        api("PUT", "/api/users/" + name, "{\"password\":\"" + name + "\",\"tags\":\"\"}");
        api("PUT", "/api/permissions/" + vhost + "/" + name, "{\"configure\":\".*\",\"write\":\".*\",\"read\":\".*\"}");
    }

    /** What the refusal of a connection says. */
    private static String refusal(int node, String user, String vhost) {
        try (Connection connection = connect(node, user, vhost)) {
            return "opened";
        } catch (Exception e) {
            Throwable cause = e.getCause() instanceof ShutdownSignalException signal ? signal : e;
            return cause instanceof ShutdownSignalException signal ? told(signal) : e.toString();
        }
    }

    private static String told(ShutdownSignalException signal) {
        return signal.getReason() instanceof AMQP.Connection.Close close
                ? close.getReplyCode() + " " + close.getReplyText()
                : signal.getReason() instanceof AMQP.Channel.Close close
                        ? close.getReplyCode() + " " + close.getReplyText()
                        : signal.toString();
    }

    @Test
    void connectionsOfAVhostAreCountedOverTheCluster() throws Exception {
        user("counted", "counted");
        api("PUT", "/api/vhost-limits/counted/max-connections", "{\"value\":2}");
        String refused = "530 NOT_ALLOWED - access to vhost 'counted' refused for user 'counted': connection limit (2)"
                + " is reached";
        Connection first = connect(1, "counted", "counted");
        try (Connection second = connect(2, "counted", "counted")) {
            assertThat(refusal(3, "counted", "counted")).isEqualTo(refused);
            assertThat(refusal(1, "counted", "counted")).isEqualTo(refused);
            first.close();
            assertThat(refusal(3, "counted", "counted")).isEqualTo("opened");
            Connection third = connect(3, "counted", "counted");
            assertThat(refusal(1, "counted", "counted")).isEqualTo(refused);
            third.abort();
            api("PUT", "/api/vhost-limits/counted/max-connections", "{\"value\":0}");
            assertThat(refusal(2, "counted", "counted")).contains("connection limit (0) is reached");
            api("DELETE", "/api/vhost-limits/counted/max-connections", "");
            assertThat(refusal(2, "counted", "counted")).isEqualTo("opened");
            assertThat(second.isOpen()).isTrue();
        }
    }

    @Test
    void connectionsAndChannelsOfAUserAreCountedOverTheCluster() throws Exception {
        user("few", "few");
        ctl(1, "set_user_limits", "few", "{\"max-connections\":2,\"max-channels\":3}");
        try (Connection first = connect(1, "few", "few")) {
            Connection second = connect(2, "few", "few");
            assertThat(refusal(3, "few", "few"))
                    .isEqualTo("530 NOT_ALLOWED - connection refused for user 'few': user connection limit (2) is"
                            + " reached");
            first.createChannel();
            first.createChannel();
            second.createChannel();
            assertThatThrownBy(second::createChannel).satisfies(fault -> {
                ShutdownSignalException signal = (ShutdownSignalException)
                        (fault.getCause() instanceof ShutdownSignalException ? fault.getCause() : fault);
                assertThat(told(signal))
                        .isEqualTo("530 NOT_ALLOWED - number of channels opened for user 'few' has reached the maximum"
                                + " allowed user limit of (3)");
            });
            // Its channel is free with its connection.
            first.createChannel();
            assertThat(refusal(3, "few", "few")).isEqualTo("opened");
            ctl(1, "clear_user_limits", "few", "all");
            for (int i = 0; i < 5; i++) {
                first.createChannel();
            }
        }
    }

    @Test
    void queuesOfAVhostAreCountedUnderConcurrentDeclares() throws Exception {
        user("queues", "queues");
        ctl(1, "set_vhost_limits", "-p", "queues", "{\"max-queues\":5}");
        List<CompletableFuture<List<String>>> told = new ArrayList<>();
        for (int node = 1; node <= 3; node++) {
            int through = node;
            told.add(CompletableFuture.supplyAsync(() -> declareSome(through, "q" + through)));
        }
        List<String> all = told.stream().flatMap(each -> each.join().stream()).toList();
        assertThat(all).hasSize(15);
        assertThat(all.stream().filter("declared"::equals)).hasSize(5);
        assertThat(all.stream().filter(each -> !each.equals("declared")))
                .allMatch(each -> each.matches("406 PRECONDITION_FAILED - cannot declare queue 'q[0-9.]+': queue limit"
                        + " in vhost 'queues' \\(5\\) is reached"));
        try (Connection connection = connect(2, "queues", "queues")) {
            JsonNode first = cluster.get("/api/queues/queues").path(0);
            String name = first.path("name").asString();
            connection.createChannel().queueDeclare(name, false, false, false, Map.of());
            connection.createChannel().queueDelete(name);
            connection.createChannel().queueDeclare("another", false, false, false, Map.of());
            assertThat(declareSome(3, "more")).noneMatch("declared"::equals);
        }
        ctl(2, "clear_vhost_limits", "-p", "queues");
        assertThat(declareSome(1, "more")).allMatch("declared"::equals);
    }

    private static List<String> declareSome(int node, String prefix) {
        List<String> told = new ArrayList<>();
        try (Connection connection = connect(node, "queues", "queues")) {
            for (int i = 0; i < 5; i++) {
                Channel channel = connection.createChannel();
                try {
                    channel.queueDeclare(prefix + "." + i, false, false, false, Map.of());
                    told.add("declared");
                } catch (IOException e) {
                    told.add(told((ShutdownSignalException) e.getCause()));
                }
            }
        } catch (Exception e) {
            told.add(e.toString());
        }
        return told;
    }
}
