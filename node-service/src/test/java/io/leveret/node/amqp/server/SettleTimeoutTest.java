package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.ShutdownSignalException;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SettleTimeoutTest {
    private static final long TIMEOUT_MILLIS = 3_000;

    @Test
    void neverEarlyAndAtMostTwoIntervalsLate() {
        long interval = SettleTimeout.intervalNanos(TIMEOUT_MILLIS);
        assertThat(interval).isEqualTo(TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS) / 30);
        for (int seed = 0; seed < 200; seed++) {
            long late = lateness(new Random(seed), interval);
            assertThat(late).as("seed %d", seed).isBetween(0L, 2 * interval);
        }
    }

    /** Deliveries come and are settled in any order until one is overdue. @return how long ago it became so */
    private static long lateness(Random random, long interval) {
        long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
        SettleTimeout timeout = new SettleTimeout(TIMEOUT_MILLIS);
        TreeMap<Long, Long> deliveredAt = new TreeMap<>();
        long next = 1;
        long now = random.nextInt(1_000_000);
        long tick = now + interval;
        while (true) {
            long step = (long) (random.nextDouble() * interval);
            if (now + step >= tick) {
                now = tick;
                tick += interval;
                long oldest = deliveredAt.isEmpty() ? 0 : deliveredAt.firstKey();
                if (timeout.isOverdue(now, oldest, next)) {
                    return now - deliveredAt.firstEntry().getValue() - timeoutNanos;
                }
                continue;
            }
            now += step;
            if (random.nextInt(3) > 0) {
                deliveredAt.put(next++, now);
            }
            boolean isStuck = !deliveredAt.isEmpty() && deliveredAt.firstKey() > 200;
            if (!deliveredAt.isEmpty() && !isStuck) {
                deliveredAt.remove(random.nextBoolean() ? deliveredAt.firstKey() : deliveredAt.lastKey());
            }
        }
    }

    @Test
    @Timeout(120)
    void aChannelThatKeepsADeliveryIsClosedAndTheMessageIsBack() throws Exception {
        try (MemoryBroker broker = new MemoryBroker(1, 0, 300)) {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setPort(broker.port);
            factory.setHost("127.0.0.1");
            factory.setAutomaticRecoveryEnabled(false);
            try (Connection connection = factory.newConnection()) {
                Channel keeping = connection.createChannel();
                CompletableFuture<ShutdownSignalException> closed = new CompletableFuture<>();
                keeping.addShutdownListener(closed::complete);
                keeping.queueDeclare("q", false, false, false, Map.of());
                keeping.basicPublish("", "q", null, new byte[1]);
                keeping.basicPublish("", "q", null, new byte[2]);
                keeping.basicConsume("q", false, (tag, delivery) -> {}, tag -> {});
                Channel idle = connection.createChannel();
                AMQP.Channel.Close reason =
                        (AMQP.Channel.Close) closed.get(25, TimeUnit.SECONDS).getReason();
                assertThat(reason.getReplyCode()).isEqualTo(406);
                assertThat(reason.getReplyText())
                        .isEqualTo(
                                "PRECONDITION_FAILED - delivery acknowledgement on channel 1 timed out. Timeout value"
                                        + " used: 300 ms. This timeout value can be configured, see consumers doc guide to learn"
                                        + " more");
                assertThat(reason.getClassId()).isZero();
                assertThat(reason.getMethodId()).isZero();
                Awaitility.await()
                        .untilAsserted(() -> assertThat(idle.messageCount("q")).isEqualTo(2));
                GetResponse got = idle.basicGet("q", true);
                assertThat(got.getEnvelope().isRedeliver()).isTrue();
            }
        }
    }

    @Test
    @Timeout(120)
    void aChannelThatSettlesInTimeStaysOpen() throws Exception {
        // So long that a pause of the machine is no delivery that was kept.
        long timeoutMillis = 5_000;
        try (MemoryBroker broker = new MemoryBroker(1, 0, timeoutMillis)) {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setPort(broker.port);
            factory.setHost("127.0.0.1");
            try (Connection connection = factory.newConnection()) {
                Channel channel = connection.createChannel();
                channel.queueDeclare("q", false, false, false, Map.of());
                long start = System.nanoTime();
                long last = 0;
                while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(timeoutMillis + timeoutMillis / 3)) {
                    channel.basicPublish("", "q", null, new byte[1]);
                    GetResponse got = channel.basicGet("q", false);
                    if (last > 0) {
                        channel.basicAck(last, false);
                    }
                    last = got.getEnvelope().getDeliveryTag();
                }
                channel.basicAck(last, false);
                assertThat(channel.messageCount("q")).isZero();
            }
        }
    }
}
