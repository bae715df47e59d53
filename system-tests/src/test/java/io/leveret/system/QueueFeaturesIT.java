package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What queues can do, with the official Java client on three nodes: the same through a node that does not lead, and after the
 * leader was killed. All mirrored queues of the first test are led by node 1, and the client looks at them through node 2.
 */
class QueueFeaturesIT {
    private static final int TTL_MILLIS = 30_000;
    private static final int EXPIRES_MILLIS = 32_000;
    /** How long after the publishes the leader dies: what began anew then would be that much late. */
    private static final int BEFORE_THE_KILL_MILLIS = 20_000;

    private static final int CONSUMER_TIMEOUT_SECONDS = 20;
    private static final int LETTERS = 2_000;
    private static final List<String> MIRRORED =
            List.of("f.dead", "f.ttl", "f.max", "f.full", "f.priority", "f.single", "f.expires", "f.used");

    private static Cluster cluster;

    /** What a consumer got. */
    private record Got(String consumer, String body, boolean isRedelivered) {
        static Got of(String consumer, Delivery delivery) {
            return new Got(
                    consumer,
                    QueueFeaturesIT.body(delivery.getBody()),
                    delivery.getEnvelope().isRedeliver());
        }
    }

    @BeforeAll
    static void start() throws Exception {
        cluster = Cluster.start(
                "features", 3, Map.of("LEVERET_CONSUMER_TIMEOUT_SECONDS", String.valueOf(CONSUMER_TIMEOUT_SECONDS)));
        cluster.policy("ha", "^f\\\\.", "{\"ha-mode\":\"all\",\"ha-sync-mode\":\"automatic\"}");
    }

    @AfterEach
    void wholeAgain() throws Exception {
        cluster.startTheDead();
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @Test
    void allOfItOutlivesTheLeader() throws Exception {
        long started = System.nanoTime();
        try (Connection one = cluster.connect(1)) {
            Channel channel = one.createChannel();
            channel.confirmSelect();
            channel.queueDeclare("f.dead", true, false, false, Map.of());
            fill(channel, "f.ttl", deadLettering("f.dead", Map.of("x-message-ttl", TTL_MILLIS)), 20);
            fill(channel, "f.max", Map.of("x-max-length", 5), 10);
            fill(channel, "f.full", Map.of("x-max-length", 5, "x-overflow", "reject-publish"), 5);
            channel.queueDeclare("f.priority", true, false, false, Map.of("x-max-priority", 3));
            for (int i = 0; i < 20; i++) {
                AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                        .deliveryMode(2)
                        .priority(i % 5)
                        .build();
                channel.basicPublish(
                        "", "f.priority", properties, String.valueOf(i).getBytes());
            }
            fill(channel, "f.single", Map.of("x-single-active-consumer", true), 0);
            fill(channel, "f.expires", Map.of("x-expires", EXPIRES_MILLIS), 1);
            fill(channel, "f.used", Map.of("x-expires", EXPIRES_MILLIS), 1);
            channel.waitForConfirmsOrDie(60_000);
            assertThat(cluster.leader("f.priority")).isEqualTo(1);
        }
        long filled = System.nanoTime();
        for (String each : MIRRORED) {
            cluster.awaitInSync(each, 2);
        }
        try (Connection two = cluster.connect(2)) {
            Channel channel = two.createChannel();
            BlockingQueue<Got> active = new LinkedBlockingQueue<>();
            for (String each : List.of("a", "b")) {
                channel.basicConsume(
                        "f.single", true, (tag, delivery) -> active.add(Got.of(each, delivery)), tag -> {});
            }
            channel.basicConsume("f.used", true, (tag, each) -> {}, tag -> {});
            channel.basicPublish("", "f.single", null, "1".getBytes());
            Got first = active.poll(30, TimeUnit.SECONDS);
            assertThat(first).isNotNull();
            assertThat(first.body()).isEqualTo("1");
            Awaitility.await().until(() -> millisSince(filled) > BEFORE_THE_KILL_MILLIS);
            assertThat(exists("f.expires") || millisSince(started) > EXPIRES_MILLIS)
                    .isTrue();

            long killed = System.nanoTime();
            cluster.kill(1);

            for (int i = 2; i <= 5; i++) {
                channel.basicPublish("", "f.single", null, String.valueOf(i).getBytes());
            }
            assertTheSameOneGetsTheRest(active, first);
            assertDeadline(channel, started, killed);
            assertExpiry(started);
            assertPriorities(channel);
            assertThat(numbers(channel, "f.max")).containsExactly(5, 6, 7, 8, 9);
            assertStillFull(two);
            assertThat(active)
                    .as("further deliveries of the single active consumer")
                    .isEmpty();
        }
    }

    /** That the first one was delivered may have died with the leader: then it comes again, once and marked. */
    private static void assertTheSameOneGetsTheRest(BlockingQueue<Got> active, Got first) throws Exception {
        Got next = active.poll(60, TimeUnit.SECONDS);
        if (next != null && next.body().equals("1")) {
            assertThat(next).isEqualTo(new Got(first.consumer(), "1", true));
            next = active.poll(30, TimeUnit.SECONDS);
        }
        for (int i = 2; i <= 5; i++) {
            assertThat(next).as("message %d", i).isNotNull();
            assertThat(next.consumer()).isEqualTo(first.consumer());
            assertThat(next.body()).isEqualTo(String.valueOf(i));
            next = i == 5 ? null : active.poll(30, TimeUnit.SECONDS);
        }
    }

    private static void assertPriorities(Channel channel) throws Exception {
        List<Integer> expected = new ArrayList<>();
        for (int priority = 3; priority >= 0; priority--) {
            int now = priority;
            IntStream.range(0, 20).filter(i -> Math.min(3, i % 5) == now).forEach(expected::add);
        }
        assertThat(numbers(channel, "f.priority")).isEqualTo(expected);
    }

    private static void assertStillFull(Connection connection) throws Exception {
        Channel channel = connection.createChannel();
        channel.confirmSelect();
        channel.basicPublish("", "f.full", null, "x".getBytes());
        assertThat(channel.waitForConfirms(60_000)).isFalse();
        assertThat(numbers(channel, "f.full")).containsExactly(0, 1, 2, 3, 4);
    }

    /** The deadline is what it was, on another leader. */
    private static void assertDeadline(Channel channel, long started, long killed) throws Exception {
        Awaitility.await().until(() -> channel.messageCount("f.dead") > 0);
        assertThat(millisSince(started)).as("not before its time").isGreaterThanOrEqualTo(TTL_MILLIS);
        Awaitility.await().until(() -> channel.messageCount("f.dead") == 20);
        assertThat(millisSince(killed))
                .as("it did not begin anew with the new leader")
                .isLessThan(TTL_MILLIS);
        // A letter is struck off its source when its target has it on disk.
        Awaitility.await().until(() -> channel.messageCount("f.ttl") == 0);
        GetResponse first = channel.basicGet("f.dead", false);
        Map<?, ?> death = (Map<?, ?>) ((List<?>) first.getProps().getHeaders().get("x-death")).get(0);
        assertThat(death.get("queue").toString()).isEqualTo("f.ttl");
        assertThat(death.get("reason").toString()).isEqualTo("expired");
        channel.basicNack(first.getEnvelope().getDeliveryTag(), false, true);
        assertThat(numbers(channel, "f.dead"))
                .isEqualTo(IntStream.range(0, 20).boxed().toList());
    }

    /** A queue that nobody uses goes, by the new leader's time; one with a consumer stays. */
    private static void assertExpiry(long started) {
        Awaitility.await().until(() -> !exists("f.expires"));
        assertThat(millisSince(started)).isGreaterThan(EXPIRES_MILLIS);
        Awaitility.await("f.used stays")
                .during(Duration.ofSeconds(5))
                .atMost(Duration.ofSeconds(30))
                .until(() -> exists("f.used"));
        Awaitility.await().untilAsserted(() -> cluster.get("/api/queues/%2F/f.used"));
    }

    @Test
    void noDeadLetterIsLostOrDoubledWhenTheLeaderOfBothQueuesDies() throws Exception {
        try (Connection one = cluster.connect(3)) {
            Channel channel = one.createChannel();
            channel.confirmSelect();
            channel.queueDeclare("f.target", true, false, false, Map.of());
            fill(
                    channel,
                    "f.source",
                    deadLettering("f.target", Map.of("x-dead-letter-strategy", "at-least-once")),
                    LETTERS);
            channel.waitForConfirmsOrDie(60_000);
        }
        int leader = cluster.leader("f.source");
        cluster.awaitInSync("f.source", 2);
        cluster.awaitInSync("f.target", 2);
        try (Connection other = cluster.connect(leader % 3 + 1)) {
            Channel channel = other.createChannel();
            channel.basicQos(50);
            CompletableFuture<Void> isHalf = new CompletableFuture<>();
            int[] rejected = new int[1];
            channel.basicConsume(
                    "f.source",
                    false,
                    (tag, each) -> {
                        channel.basicReject(each.getEnvelope().getDeliveryTag(), false);
                        if (++rejected[0] == LETTERS / 2) {
                            isHalf.complete(null);
                        }
                    },
                    tag -> {});
            isHalf.get(60, TimeUnit.SECONDS);
            cluster.kill(leader);
            Channel looking = other.createChannel();
            Set<Integer> seen = new HashSet<>();
            List<Integer> unmarked = new ArrayList<>();
            // A marked repetition counts as a message, too: only the different ones tell that all have come.
            Awaitility.await().atMost(Duration.ofSeconds(120)).untilAsserted(() -> {
                take(looking, "f.target", seen, unmarked);
                assertThat(seen).hasSize(LETTERS);
            });
            assertThat(unmarked).as("came again without a mark").isEmpty();
        }
    }

    /** Takes all that is there; what was seen before and is not marked as redelivered is told apart. */
    private static void take(Channel channel, String queue, Set<Integer> seen, List<Integer> unmarked)
            throws Exception {
        for (GetResponse each = channel.basicGet(queue, true); each != null; each = channel.basicGet(queue, true)) {
            int number = Integer.parseInt(body(each.getBody()));
            if (!seen.add(number) && !each.getEnvelope().isRedeliver()) {
                unmarked.add(number);
            }
        }
    }

    @Test
    void atLeastOnceADeadLetterWaitsForAQueueAndIsCounted() throws Exception {
        cluster.policy(
                "strategy",
                "^held$",
                "{\"dead-letter-exchange\":\"later\",\"dead-letter-strategy\":\"at-least-once\",\"message-ttl\":1}");
        try (Connection connection = cluster.connect(2)) {
            Channel channel = connection.createChannel();
            channel.confirmSelect();
            fill(channel, "held", Map.of(), 10);
            channel.waitForConfirmsOrDie(60_000);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(cluster.get("/api/queues/%2F/held")
                                    .path("messages_dead_lettering")
                                    .asInt())
                            .isEqualTo(10));
            channel.queueDeclare("held.dead", true, false, false, Map.of());
            channel.exchangeDeclare("later", "fanout", true);
            channel.queueBind("held.dead", "later", "");
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(channel.messageCount("held.dead")).isEqualTo(10));
        }
    }

    @Test
    void aConsumerThatNeverSettlesLosesItsChannel() throws Exception {
        try (Connection one = cluster.connect(1);
                Connection two = cluster.connect(2)) {
            Channel filling = one.createChannel();
            filling.confirmSelect();
            fill(filling, "kept", Map.of(), 1);
            filling.waitForConfirmsOrDie(60_000);
            Channel channel = two.createChannel();
            CompletableFuture<ShutdownSignalException> closed = new CompletableFuture<>();
            channel.addShutdownListener(closed::complete);
            channel.basicConsume("kept", false, (tag, each) -> {}, tag -> {});
            AMQP.Channel.Close reason = (AMQP.Channel.Close)
                    closed.get(3 * CONSUMER_TIMEOUT_SECONDS, TimeUnit.SECONDS).getReason();
            assertThat(reason.getReplyText())
                    .isEqualTo(
                            "PRECONDITION_FAILED - delivery acknowledgement on channel 1 timed out. Timeout value used: "
                                    + CONSUMER_TIMEOUT_SECONDS
                                    + "000 ms. This timeout value can be configured, see consumers doc guide to learn more");
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(filling.messageCount("kept")).isEqualTo(1));
        }
    }

    private static Map<String, Object> deadLettering(String target, Map<String, Object> more) {
        Map<String, Object> arguments = new java.util.HashMap<>(more);
        arguments.put("x-dead-letter-exchange", "");
        arguments.put("x-dead-letter-routing-key", target);
        return arguments;
    }

    /** Declares the queue and publishes 0, 1, 2 … */
    private static void fill(Channel channel, String queue, Map<String, Object> arguments, int count) throws Exception {
        channel.queueDeclare(queue, true, false, false, arguments);
        AMQP.BasicProperties persistent =
                new AMQP.BasicProperties.Builder().deliveryMode(2).build();
        for (int i = 0; i < count; i++) {
            channel.basicPublish("", queue, persistent, String.valueOf(i).getBytes());
        }
    }

    private static List<Integer> numbers(Channel channel, String queue) throws Exception {
        List<Integer> numbers = new ArrayList<>();
        for (GetResponse each = channel.basicGet(queue, true); each != null; each = channel.basicGet(queue, true)) {
            numbers.add(Integer.parseInt(body(each.getBody())));
        }
        return numbers;
    }

    private static boolean exists(String queue) throws Exception {
        // While no node has a majority the answer is 503, which says neither.
        return cluster.api("GET", "/api/queues/%2F/" + queue, "").status() != 404;
    }

    private static String body(byte[] bytes) {
        return new String(bytes);
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }
}
