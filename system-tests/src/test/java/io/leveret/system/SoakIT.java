package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What goes on for long on mirrored queues must neither lose anything nor leave anything behind on any of the three nodes. By hand
 * with {@code -Dsoak.messages=1000000}.
 */
@Timeout(3_600)
class SoakIT {
    private static final int MESSAGES = Integer.getInteger("soak.messages", 20_000);
    private static final String HEAP = System.getProperty("soak.heap", "256m");
    private static final int BODY_BYTES = 100;
    private static final int UNCONFIRMED_MAX = 4_000;
    private static final int FULL = 100;
    private static final long MIB = 1 << 20;
    /** What may be held more at the end than in the middle. */
    private static final long HEAP_GROWTH_MAX = 16 * MIB;

    private static final long RESIDENT_GROWTH_MAX = 96 * MIB;
    private static final Duration MINUTES = Duration.ofMinutes(30);

    private static Cluster cluster;

    @BeforeAll
    static void start() throws Exception {
        // All the heap is there from the start, so that resident memory tells of what is outside it.
        String options = "-Xms%1$s -Xmx%1$s -XX:+AlwaysPreTouch".formatted(HEAP);
        cluster = Cluster.start("soak", 3, Map.of("LEVERET_JAVA_OPTS", options));
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static List<Footprint> footprints(String when) throws Exception {
        List<Footprint> all = new ArrayList<>();
        for (int node = 1; node <= 3; node++) {
            all.add(Footprint.of(cluster.pid(node)));
        }
        System.out.printf("%s: %s%n", when, all);
        return all;
    }

    /** Timers of what is gone hold on to it until they are due: a minute at most. What leaks stays. */
    private static void awaitFlat(List<Footprint> before, String when) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> checkFlat(before, footprints(when)));
    }

    private static void checkFlat(List<Footprint> before, List<Footprint> after) {
        for (int i = 0; i < before.size(); i++) {
            assertThat(after.get(i).heapBytes())
                    .as("heap of node %d", i + 1)
                    .isLessThan(before.get(i).heapBytes() + HEAP_GROWTH_MAX);
            assertThat(after.get(i).residentBytes())
                    .as("resident memory of node %d", i + 1)
                    .isLessThan(before.get(i).residentBytes() + RESIDENT_GROWTH_MAX);
        }
    }

    /** Publishes numbered messages with confirms, and counts what became of them. */
    private static final class Publisher implements AutoCloseable {
        final Connection connection;
        final Channel channel;
        final Semaphore window = new Semaphore(UNCONFIRMED_MAX);
        final AtomicInteger acked = new AtomicInteger();
        final AtomicInteger nacked = new AtomicInteger();
        private final BitSet answered = new BitSet();

        Publisher(int node) throws Exception {
            connection = cluster.connect(node);
            channel = connection.createChannel();
            channel.confirmSelect();
            channel.addConfirmListener(
                    (tag, isMultiple) -> answered(acked, tag, isMultiple),
                    (tag, isMultiple) -> answered(nacked, tag, isMultiple));
        }

        /** On the one thread of the connection. */
        private void answered(AtomicInteger counter, long tag, boolean isMultiple) {
            int count = 0;
            for (int each = isMultiple ? answered.nextClearBit(1) : (int) tag;
                    each <= tag;
                    each = answered.nextClearBit(each)) {
                answered.set(each);
                count++;
            }
            counter.addAndGet(count);
            window.release(count);
        }

        void publish(String queue, int from, int to) throws Exception {
            for (int i = from; i < to; i++) {
                assertThat(window.tryAcquire(60, TimeUnit.SECONDS))
                        .as("answers come, so far %s and %s", acked, nacked)
                        .isTrue();
                byte[] body = ByteBuffer.allocate(BODY_BYTES).putInt(i).array();
                channel.basicPublish("", queue, MessageProperties.MINIMAL_PERSISTENT_BASIC, body);
            }
            assertThat(window.tryAcquire(UNCONFIRMED_MAX, 60, TimeUnit.SECONDS)).isTrue();
            window.release(UNCONFIRMED_MAX);
        }

        @Override
        public void close() throws Exception {
            connection.close();
        }
    }

    private static String rate(int count, long since) {
        double seconds = (System.nanoTime() - since) / 1e9;
        return String.format("%,d in %.1f s, %,.0f/s", count, seconds, count / seconds);
    }

    @Test
    void whatAFullQueueRejectsLeavesNothingBehind() throws Exception {
        cluster.policy(
                "full",
                "^soak\\\\.full",
                "{\"ha-mode\":\"all\",\"max-length\":" + FULL + ",\"overflow\":\"reject-publish\"}");
        declare("soak.full", Map.of());
        cluster.awaitInSync("soak.full", 2);
        List<Footprint> before = new ArrayList<>();
        long begin = System.nanoTime();
        try (Publisher here = new Publisher(cluster.leader("soak.full"));
                Publisher elsewhere = new Publisher(cluster.leader("soak.full") % 3 + 1)) {
            here.publish("soak.full", 0, FULL);
            assertThat(here.acked).hasValue(FULL);
            int half = MESSAGES / 2;
            for (int part = 0; part < 4; part++) {
                int from = FULL + half * part / 4;
                int to = FULL + half * (part + 1) / 4;
                CompletableFuture<Void> other = CompletableFuture.runAsync(() -> publishQuietly(elsewhere, from, to));
                here.publish("soak.full", from, to);
                other.get(10, TimeUnit.MINUTES);
                if (part == 0) {
                    before = footprints("a quarter rejected");
                }
            }
            System.out.println("rejected " + rate(2 * half, begin));
            assertThat(here.nacked).hasValue(half);
            assertThat(elsewhere.nacked).hasValue(half);
            assertThat(here.acked).hasValue(FULL);
            assertThat(elsewhere.acked).hasValue(0);
        }
        awaitFlat(before, "all rejected");
        List<Integer> held = drain("soak.full", FULL);
        for (int i = 0; i < FULL; i++) {
            assertThat(held.get(i)).isEqualTo(i);
        }
    }

    private static void publishQuietly(Publisher publisher, int from, int to) {
        try {
            publisher.publish("soak.full", from, to);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void whatExpiresIsDeadLetteredToTheLast() throws Exception {
        deadLetterAll("soak.once", "{\"ha-mode\":\"all\"}");
    }

    @Test
    void whatExpiresIsDeadLetteredAtLeastOnceToTheLast() throws Exception {
        deadLetterAll("soak.least", "{\"ha-mode\":\"all\",\"dead-letter-strategy\":\"at-least-once\"}");
    }

    private static void deadLetterAll(String name, String policy) throws Exception {
        cluster.policy(name, "^" + name.replace(".", "\\\\."), policy);
        String target = name + ".target";
        declare(target, Map.of());
        declare(
                name + ".source",
                Map.of("x-message-ttl", 2_000, "x-dead-letter-exchange", "", "x-dead-letter-routing-key", target));
        cluster.awaitInSync(name + ".source", 2);
        cluster.awaitInSync(target, 2);
        long begin = System.nanoTime();
        try (Publisher publisher = new Publisher(2)) {
            // Warm: what a queue of any length needs is there.
            publisher.publish(name + ".source", 0, MESSAGES / 10);
            awaitCount(target, MESSAGES / 10);
            List<Footprint> before = footprints("a tenth dead-lettered");
            publisher.publish(name + ".source", MESSAGES / 10, MESSAGES);
            System.out.println("published " + rate(MESSAGES, begin));
            assertThat(publisher.acked).hasValue(MESSAGES);
            awaitCount(target, MESSAGES);
            System.out.println("dead-lettered " + rate(MESSAGES, begin));
            awaitCount(name + ".source", 0);
            footprints("all dead-lettered");
            List<Integer> all = drain(target, MESSAGES);
            BitSet seen = new BitSet();
            all.forEach(seen::set);
            assertThat(all).as("messages in the target").hasSize(MESSAGES);
            assertThat(seen.cardinality()).as("different ones").isEqualTo(MESSAGES);
            System.out.println("drained " + rate(MESSAGES, begin));
            awaitFlat(before, "all drained");
        }
    }

    private static void declare(String queue, Map<String, Object> arguments) throws Exception {
        try (Connection connection = cluster.connect(1)) {
            connection.createChannel().queueDeclare(queue, true, false, false, arguments);
        }
    }

    private static void awaitCount(String queue, int count) throws Exception {
        try (Connection connection = cluster.connect(3)) {
            Channel channel = connection.createChannel();
            Awaitility.await(queue + " holds " + count)
                    .atMost(MINUTES)
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> channel.queueDeclarePassive(queue).getMessageCount() == count);
        }
    }

    /** Takes all of them, and says which they were. */
    private static List<Integer> drain(String queue, int count) throws Exception {
        List<Integer> seen = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        try (Connection connection = cluster.connect(1)) {
            Channel channel = connection.createChannel();
            channel.basicQos(1_000);
            channel.basicConsume(queue, false, new DefaultConsumer(channel) {
                @Override
                public void handleDelivery(String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body)
                        throws IOException {
                    seen.add(ByteBuffer.wrap(body).getInt());
                    if (seen.size() % 200 == 0 || seen.size() == count) {
                        channel.basicAck(envelope.getDeliveryTag(), true);
                    }
                    if (seen.size() == count) {
                        done.countDown();
                    }
                }
            });
            assertThat(done.await(MINUTES.toMinutes(), TimeUnit.MINUTES))
                    .as("drained, %d so far", seen.size())
                    .isTrue();
        }
        awaitCount(queue, 0);
        return seen;
    }
}
