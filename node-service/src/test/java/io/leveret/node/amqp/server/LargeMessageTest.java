package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import io.leveret.node.amqp.wire.BasicMethod;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Messages larger than what the socket takes at a time, and clients that do not read what they asked for. */
@Timeout(120)
class LargeMessageTest {
    private static final int MIB = 1 << 20;
    private static MemoryBroker broker;

    @BeforeAll
    static void start() {
        broker = new MemoryBroker();
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static Connection connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(broker.port);
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection();
    }

    private static long pendingBytes() {
        return broker.server.connections().connections().toCompletableFuture().join().stream()
                .mapToLong(ConnectionStatistics::sendPendingBytes)
                .sum();
    }

    @Test
    void largeBodiesArriveWholeBesideSmallOnes() throws Exception {
        byte[] body = new byte[20 * MIB + 17];
        new Random(1).nextBytes(body);
        BlockingQueue<byte[]> large = new LinkedBlockingQueue<>();
        BlockingQueue<byte[]> small = new LinkedBlockingQueue<>();
        try (Connection connection = connect()) {
            Channel one = connection.createChannel();
            Channel two = connection.createChannel();
            one.queueDeclare("large", false, false, true, Map.of());
            two.queueDeclare("small", false, false, true, Map.of());
            one.basicConsume("large", true, (tag, message) -> large.add(message.getBody()), tag -> {});
            two.basicConsume("small", true, (tag, message) -> small.add(message.getBody()), tag -> {});
            for (int i = 0; i < 3; i++) {
                body[0] = (byte) i;
                one.basicPublish("", "large", MessageProperties.BASIC, body);
                two.basicPublish("", "small", MessageProperties.BASIC, new byte[] {(byte) i});
            }
            for (int i = 0; i < 3; i++) {
                body[0] = (byte) i;
                assertThat(large.poll(30, TimeUnit.SECONDS)).isEqualTo(body);
                assertThat(small.poll(30, TimeUnit.SECONDS)).containsExactly(i);
            }
        }
    }

    @Test
    void whoDoesNotReadTheAnswersToItsRequestsIsNotListenedTo() throws Exception {
        int gets = 100;
        try (Connection filler = connect()) {
            Channel channel = filler.createChannel();
            channel.queueDeclare("unread", false, false, false, Map.of());
            for (int i = 0; i < gets; i++) {
                channel.basicPublish("", "unread", MessageProperties.BASIC, new byte[MIB]);
            }
            Awaitility.await().until(() -> channel.messageCount("unread") == gets);
            try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
                for (int i = 0; i < gets; i++) {
                    client.send(1, new BasicMethod.Get("unread", true));
                }
                Awaitility.await().until(() -> pendingBytes() > 0);
                Awaitility.await()
                        .during(Duration.ofSeconds(1))
                        .until(() -> pendingBytes() < UnreadWatch.UNREAD_BYTES_MAX + 4 * MIB);
                List<String> answers = new ArrayList<>();
                while (answers.size() < gets) {
                    String next = client.next();
                    if (next.startsWith("GetOk")) {
                        answers.add(next);
                    }
                }
                assertThat(channel.messageCount("unread")).isZero();
            }
        }
    }

    @Test
    void aConsumerThatDoesNotReadIsSentLittle() throws Exception {
        try (Connection filler = connect()) {
            Channel channel = filler.createChannel();
            channel.queueDeclare("slow", false, false, false, Map.of());
            try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
                client.send(1, new BasicMethod.Consume("slow", "", false, true, false, true, Map.of()));
                for (int i = 0; i < 2000; i++) {
                    channel.basicPublish("", "slow", MessageProperties.BASIC, new byte[50_000]);
                }
                Awaitility.await()
                        .during(Duration.ofSeconds(1))
                        .until(() -> channel.messageCount("slow") > 1500 && pendingBytes() < 4 * MIB);
                // Others get what it does not take.
                assertThat(channel.basicGet("slow", true)).isNotNull();
            }
        }
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    @Test
    void theReadsOfABusyPublisherLeaveNothingBehind() throws Exception {
        try (Connection connection = connect()) {
            Channel channel = connection.createChannel();
            byte[] body = new byte[MIB - 1];
            long before = directBytes();
            for (int i = 0; i < 300; i++) {
                channel.basicPublish("", "nowhere", MessageProperties.BASIC, body);
                assertThat(directBytes()).as("after %d", i).isLessThan(before + 32 * MIB);
            }
        }
    }
}
