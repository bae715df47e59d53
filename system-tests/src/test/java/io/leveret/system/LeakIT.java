package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Clients that do everything wrong, many times: channels that are opened and closed by an error, connections that are torn off
 * with an exclusive queue and a consumer. Afterwards nothing counts them any more, on no node, and the nodes hold what they held
 * before: heap (after a full collection) and file handles.
 */
class LeakIT {
    private static final int CHANNELS = Integer.getInteger("leak.channels", 20_000);
    private static final int CONNECTIONS = Integer.getInteger("leak.connections", 2_000);
    private static final int CLIENTS = 8;
    /** Code that is compiled later, logs, the results of the last changes that Raft's clients may ask for again. */
    private static final long HEAP_GROWTH_MAX = 12 << 20;

    private static final int HANDLES_GROWTH_MAX = 8;

    private static final AMQP.BasicProperties WRONG =
            new AMQP.BasicProperties.Builder().expiration("soon").build();

    private static Cluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = Cluster.start("leak", 2);
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    /** What a node holds. */
    private record Held(long heapBytes, long handles) {
        static Held of(long pid) throws Exception {
            return new Held(Footprint.of(pid).heapBytes(), handles(pid));
        }

        private static long handles(long pid) throws IOException {
            try (Stream<Path> open = Files.list(Path.of("/proc/" + pid + "/fd"))) {
                return open.count();
            }
        }
    }

    @Test
    void nothingIsLeftOfClientsThatGoWrong() throws Exception {
        errors(CHANNELS / 10);
        disconnects(CONNECTIONS / 10);
        awaitNothing();
        List<Held> before = held();

        long start = System.nanoTime();
        errors(CHANNELS);
        long afterErrors = System.nanoTime();
        disconnects(CONNECTIONS);
        long afterDisconnects = System.nanoTime();
        awaitNothing();
        long end = System.nanoTime();
        System.out.printf(
                "%,d channels: %d ms; %,d connections: %d ms; all of it gone after %d ms%n",
                CHANNELS,
                (afterErrors - start) / 1_000_000,
                CONNECTIONS,
                (afterDisconnects - afterErrors) / 1_000_000,
                (end - afterDisconnects) / 1_000_000);

        // Timers of consumers and publishers that are gone hold on to them until they are due: a minute at most.
        await().atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> {
                    List<Held> after = held();
                    System.out.println("before " + before + ", after " + after);
                    for (int i = 0; i < before.size(); i++) {
                        assertThat(after.get(i).heapBytes())
                                .isLessThan(before.get(i).heapBytes() + HEAP_GROWTH_MAX);
                        assertThat(after.get(i).handles())
                                .isLessThanOrEqualTo(before.get(i).handles() + HANDLES_GROWTH_MAX);
                    }
                });
    }

    private static List<Held> held() throws Exception {
        return List.of(Held.of(cluster.pid(1)), Held.of(cluster.pid(2)));
    }

    private static void awaitNothing() {
        // Each queue that goes is agreed and written by both nodes.
        await().atMost(Duration.ofSeconds(180))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> {
                    JsonNode totals = cluster.get("/api/overview").path("object_totals");
                    for (String each : List.of("connections", "channels", "queues", "consumers")) {
                        assertThat(totals.path(each).asInt(-1)).as(each).isZero();
                    }
                });
    }

    /** Each client on a thread of its own. */
    private static void each(Callable<Void> client) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<Void>> all = threads.invokeAll(
                    Stream.generate(() -> client).limit(CLIENTS).toList());
            for (Future<Void> one : all) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** What ends a channel. */
    private interface Fault {
        void on(Channel channel) throws IOException;
    }

    private static void errors(int count) throws Exception {
        List<Fault> faults = List.of(
                channel -> channel.basicAck(99, false),
                channel -> channel.basicPublish("amq.direct", "k", WRONG, new byte[1]),
                channel -> channel.basicConsume("amq.rabbitmq.reply-to", false, new DefaultConsumer(channel)),
                channel -> channel.exchangeDeclare("amq.mine", "direct"),
                channel -> channel.queueBind("nosuch", "", "k"));
        each(() -> {
            try (Connection connection = cluster.connect(1)) {
                for (int i = 0; i < count / CLIENTS; i++) {
                    Channel channel = connection.createChannel();
                    CountDownLatch closed = new CountDownLatch(1);
                    channel.addShutdownListener(cause -> closed.countDown());
                    try {
                        // The last one is asked of the cluster, which takes longer.
                        faults.get(i % 20 == 0 ? 4 : i % 4).on(channel);
                    } catch (IOException | ShutdownSignalException e) {
                        assertThat(channel.isOpen()).isFalse();
                    }
                    assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
                }
            }
            return null;
        });
    }

    private static void disconnects(int count) throws Exception {
        each(() -> {
            for (int i = 0; i < count / CLIENTS; i++) {
                List<Socket> sockets = new ArrayList<>();
                ConnectionFactory factory = new ConnectionFactory();
                factory.setPort(cluster.amqpPort(1 + i % 2));
                factory.setHost("127.0.0.1");
                factory.setAutomaticRecoveryEnabled(false);
                factory.setHandshakeTimeout(Cluster.HANDSHAKE_MILLIS);
                factory.setSocketConfigurator(sockets::add);
                Connection connection = factory.newConnection();
                Channel channel = connection.createChannel();
                String queue =
                        channel.queueDeclare("", false, true, false, Map.of()).getQueue();
                channel.basicConsume(queue, false, new DefaultConsumer(channel));
                channel.basicPublish("", queue, null, new byte[100]);
                sockets.get(0).setSoLinger(true, 0);
                sockets.get(0).close();
                connection.abort(1_000);
            }
            return null;
        });
    }
}
