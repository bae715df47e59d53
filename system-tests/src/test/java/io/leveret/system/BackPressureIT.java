package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.MessageProperties;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A node with a small heap, and clients that give it more than the heap at a time: they are slowed down, nothing is lost, the node
 * lives, and others are served meanwhile.
 */
@Timeout(600)
class BackPressureIT {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;
    private static Cluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = Cluster.start("pressure", 1, Map.of("LEVERET_JAVA_OPTS", "-Xmx192m"));
    }

    @AfterAll
    static void stop() throws Exception {
        if (cluster != null) {
            cluster.close();
        }
    }

    private static void declare(String queue) throws Exception {
        try (Connection connection = cluster.connect(1)) {
            connection.createChannel().queueDeclare(queue, true, false, false, Map.of());
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private static CompletableFuture<Void> start(Work work) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                work.run();
                done.complete(null);
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return done;
    }

    private static CompletableFuture<Void> all(List<CompletableFuture<Void>> works) {
        return CompletableFuture.allOf(works.toArray(CompletableFuture[]::new));
    }

    @Test
    void fastPublishersFillNoHeapAndStarveNobody() throws Exception {
        int publishers = 48;
        int each = 16;
        declare("flood");
        declare("aside");
        List<CompletableFuture<Void>> flood = new ArrayList<>();
        for (int i = 0; i < publishers; i++) {
            int first = i * each;
            flood.add(start(() -> {
                try (Connection connection = cluster.connect(1)) {
                    Channel channel = connection.createChannel();
                    channel.confirmSelect();
                    for (int number = first; number < first + each; number++) {
                        byte[] body =
                                ByteBuffer.allocate(512 * KIB).putInt(number).array();
                        channel.basicPublish("", "flood", MessageProperties.MINIMAL_PERSISTENT_BASIC, body);
                    }
                    channel.waitForConfirmsOrDie(300_000);
                }
            }));
        }
        CompletableFuture<Void> flooded = all(flood);
        int served = 0;
        try (Connection connection = cluster.connect(1)) {
            Channel channel = connection.createChannel();
            channel.confirmSelect();
            do {
                channel.basicPublish("", "aside", MessageProperties.MINIMAL_PERSISTENT_BASIC, new byte[10]);
                channel.waitForConfirmsOrDie(60_000);
                assertThat(channel.basicGet("aside", true)).isNotNull();
                served++;
            } while (!flooded.isDone());
        }
        assertThat(served).as("served while it was flooded").isGreaterThan(1);
        flooded.get(1, TimeUnit.MINUTES);
        System.out.printf("flooded with %d MiB, %d served aside%n", publishers * each / 2, served);
        BitSet seen = new BitSet();
        try (Connection connection = cluster.connect(1)) {
            Channel channel = connection.createChannel();
            channel.basicQos(10);
            channel.basicConsume(
                    "flood",
                    false,
                    (tag, message) -> {
                        synchronized (seen) {
                            seen.set(ByteBuffer.wrap(message.getBody()).getInt());
                        }
                        channel.basicAck(message.getEnvelope().getDeliveryTag(), false);
                    },
                    tag -> {});
            Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> {
                synchronized (seen) {
                    return seen.cardinality() == publishers * each;
                }
            });
        }
    }

    @Test
    void largeMessagesTakeTurns() throws Exception {
        byte[] body = new byte[10 * MIB];
        new Random(1).nextBytes(body);
        declare("large");
        List<CompletableFuture<Void>> works = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            works.add(start(() -> {
                try (Connection connection = cluster.connect(1)) {
                    Channel channel = connection.createChannel();
                    channel.confirmSelect();
                    channel.basicPublish("", "large", MessageProperties.MINIMAL_PERSISTENT_BASIC, body);
                    channel.waitForConfirmsOrDie(300_000);
                }
            }));
        }
        all(works).get(5, TimeUnit.MINUTES);
        try (Connection connection = cluster.connect(1)) {
            Channel channel = connection.createChannel();
            for (int i = 0; i < 20; i++) {
                assertThat(channel.basicGet("large", true).getBody()).isEqualTo(body);
            }
        }
    }

    @Test
    void consumersThatDoNotReadHoldLittle() throws Exception {
        declare("unread");
        try (Connection filler = cluster.connect(1)) {
            Channel channel = filler.createChannel();
            channel.confirmSelect();
            for (int i = 0; i < 200; i++) {
                channel.basicPublish("", "unread", MessageProperties.MINIMAL_PERSISTENT_BASIC, new byte[MIB]);
                if (i % 20 == 19) {
                    channel.waitForConfirmsOrDie(60_000);
                }
            }
            try (var one = new StuckConsumer(cluster.amqpPort(1), "unread");
                    var two = new StuckConsumer(cluster.amqpPort(1), "unread")) {
                Awaitility.await().until(() -> channel.consumerCount("unread") == 2);
                Awaitility.await()
                        .during(Duration.ofSeconds(2))
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> channel.messageCount("unread") > 150);
                // They do not read, so only the node can tell that it has kept them.
                assertThat(channel.consumerCount("unread")).isEqualTo(2);
                assertThat(channel.basicGet("unread", true)).isNotNull();
            }
            // What they were given comes back.
            Awaitility.await().until(() -> channel.messageCount("unread") == 199);
        }
    }
}
