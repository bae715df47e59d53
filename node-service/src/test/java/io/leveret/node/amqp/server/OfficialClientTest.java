package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DeliverCallback;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.ShutdownSignalException;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Java client against a whole node in memory. */
@Timeout(60)
class OfficialClientTest {
    private final MemoryBroker broker = new MemoryBroker();
    private Connection connection;
    private Channel channel;

    @BeforeEach
    void connect() throws Exception {
        connection = factory().newConnection("test");
        channel = connection.createChannel();
    }

    @AfterEach
    void close() throws IOException {
        // The broker first: a client whose socket is not read cannot even say goodbye.
        broker.close();
        connection.abort(2_000);
    }

    private ConnectionFactory factory() {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(broker.port);
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        return factory;
    }

    @Test
    void aMessageComesBackAsItWas() throws Exception {
        String queue = channel.queueDeclare().getQueue();
        assertThat(queue).startsWith("amq.gen-");
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .contentType("text/plain")
                .headers(Map.of("a", 1, "b", List.of("x", true)))
                .deliveryMode(2)
                .correlationId("7")
                .build();
        channel.basicPublish("", queue, properties, "hällo".getBytes(StandardCharsets.UTF_8));
        GetResponse got = get(channel, queue, true);
        assertThat(new String(got.getBody(), StandardCharsets.UTF_8)).isEqualTo("hällo");
        assertThat(got.getProps().getContentType()).isEqualTo("text/plain");
        assertThat(got.getProps().getHeaders().get("a")).isEqualTo(1);
        assertThat(got.getProps().getCorrelationId()).isEqualTo("7");
        assertThat(got.getEnvelope().isRedeliver()).isFalse();
        assertThat(channel.basicGet(queue, true)).isNull();
    }

    @Test
    void tenThousandConfirmedMessagesArriveInOrder() throws Exception {
        channel.queueDeclare("q", true, false, false, null);
        channel.confirmSelect();
        int total = 10_000;
        for (int i = 0; i < total; i++) {
            channel.basicPublish(
                    "", "q", MessageProperties.PERSISTENT_BASIC, ("m" + i).getBytes(StandardCharsets.UTF_8));
        }
        assertThat(channel.waitForConfirms(30_000)).isTrue();
        BlockingQueue<String> got = new LinkedBlockingQueue<>();
        Channel consumer = connection.createChannel();
        consumer.basicQos(100);
        consumer.basicConsume(
                "q",
                false,
                (tag, delivery) -> {
                    got.add(new String(delivery.getBody(), StandardCharsets.UTF_8));
                    consumer.basicAck(delivery.getEnvelope().getDeliveryTag(), false);
                },
                tag -> {});
        for (int i = 0; i < total; i++) {
            assertThat(got.poll(30, TimeUnit.SECONDS)).isEqualTo("m" + i);
        }
        Awaitility.await().until(() -> channel.messageCount("q") == 0);
    }

    @Test
    void bodiesOfAnySizeAreCutIntoFrames() throws Exception {
        channel.queueDeclare("q", false, false, false, null);
        Random random = new Random(3);
        for (int size : new int[] {0, 1, 131_064, 131_065, 262_128, 1_000_000, 5_000_000}) {
            byte[] body = new byte[size];
            random.nextBytes(body);
            channel.basicPublish("", "q", null, body);
            GetResponse got = get(channel, "q", true);
            assertThat(Arrays.equals(got.getBody(), body)).as("%d bytes", size).isTrue();
        }
    }

    @Test
    void globalPrefetchLimitsAllConsumersOfAChannel() throws Exception {
        channel.queueDeclare("q", false, false, false, null);
        for (int i = 0; i < 20; i++) {
            channel.basicPublish("", "q", null, new byte[] {(byte) i});
        }
        channel.basicQos(5, true);
        BlockingQueue<Long> tags = new LinkedBlockingQueue<>();
        List<Byte> bodies = Collections.synchronizedList(new ArrayList<>());
        DeliverCallback callback = (tag, delivery) -> {
            assertThat(delivery.getEnvelope().isRedeliver()).isFalse();
            bodies.add(delivery.getBody()[0]);
            tags.add(delivery.getEnvelope().getDeliveryTag());
        };
        channel.basicConsume("q", false, callback, tag -> {});
        channel.basicConsume("q", false, callback, tag -> {});
        for (int i = 0; i < 5; i++) {
            assertThat(tags.poll(30, TimeUnit.SECONDS)).isEqualTo(i + 1);
        }
        assertThat(tags.poll(200, TimeUnit.MILLISECONDS)).isNull();
        for (int i = 5; i < 20; i++) {
            channel.basicAck(i - 4, false);
            assertThat(tags.poll(30, TimeUnit.SECONDS)).isEqualTo(i + 1);
        }
        assertThat(bodies).hasSize(20).doesNotHaveDuplicates();
    }

    @Test
    void pyAmqpMeansItsChannelByAPrefetchThatIsNotGlobal() throws Exception {
        ConnectionFactory factory = factory();
        factory.setClientProperties(Map.of("product", "py-amqp"));
        try (Connection celery = factory.newConnection()) {
            Channel tasks = celery.createChannel();
            tasks.queueDeclare("q", false, false, true, null);
            for (int i = 0; i < 6; i++) {
                tasks.basicPublish("", "q", null, new byte[] {(byte) i});
            }
            BlockingQueue<Long> tags = new LinkedBlockingQueue<>();
            DeliverCallback callback =
                    (tag, delivery) -> tags.add(delivery.getEnvelope().getDeliveryTag());
            tasks.basicQos(2, false);
            tasks.basicConsume("q", false, callback, tag -> {});
            tasks.basicConsume("q", false, callback, tag -> {});
            for (int i = 1; i <= 2; i++) {
                assertThat(tags.poll(30, TimeUnit.SECONDS)).isEqualTo(i);
            }
            assertThat(tags.poll(200, TimeUnit.MILLISECONDS)).isNull();
            tasks.basicQos(3, false); // as Celery does for a task that is to wait
            assertThat(tags.poll(30, TimeUnit.SECONDS)).isEqualTo(3);
            assertThat(tags.poll(200, TimeUnit.MILLISECONDS)).isNull();
        }
    }

    @Test
    void aConsumerThatComesWhenThePrefetchIsUsedUpIsLeftAlone() throws Exception {
        String queue = channel.queueDeclare().getQueue();
        channel.basicPublish("", queue, null, new byte[1]);
        channel.basicPublish("", queue, null, new byte[1]);
        channel.basicQos(1, true);
        BlockingQueue<Long> tags = new LinkedBlockingQueue<>();
        DeliverCallback callback =
                (tag, delivery) -> tags.add(delivery.getEnvelope().getDeliveryTag());
        channel.basicConsume(queue, false, callback, tag -> {});
        assertThat(tags.poll(30, TimeUnit.SECONDS)).isEqualTo(1);
        channel.basicConsume(queue, false, callback, tag -> {});
        for (int i = 0; i < 100; i++) {
            channel.messageCount(queue);
        }
        assertThat(queue(queue).givenBack).hasValueLessThan(5);
        channel.basicAck(1, false);
        assertThat(tags.poll(30, TimeUnit.SECONDS)).isEqualTo(2);
    }

    @Test
    void aConsumerCanTakeMessagesBeforeItsClientIsToldSo() throws Exception {
        String queue = channel.queueDeclare().getQueue();
        channel.basicConsume(queue, true, (tag, delivery) -> {}, tag -> {});
        assertThat(queue(queue).wasWritableWhileOpening).isTrue();
    }

    @Test
    void aSlowConsumerHoldsBackItsQueueAndNothingIsLost() throws Exception {
        channel.queueDeclare("q", false, false, false, null);
        int total = 2_000;
        byte[] body = new byte[20_000];
        for (int i = 0; i < total; i++) {
            body[0] = (byte) (i >> 8);
            body[1] = (byte) i;
            channel.basicPublish("", "q", null, body);
        }
        BlockingQueue<Integer> got = new ArrayBlockingQueue<>(10);
        Channel consumer = connection.createChannel();
        consumer.basicConsume("q", true, (tag, delivery) -> put(got, delivery.getBody()), tag -> {});
        for (int i = 0; i < total; i++) {
            assertThat(got.poll(30, TimeUnit.SECONDS)).isEqualTo(i);
        }
    }

    private MemoryQueue queue(String name) {
        return Objects.requireNonNull(broker.queues.get(new QueueName(new VhostName("/"), name)));
    }

    private static void put(BlockingQueue<Integer> got, byte[] body) {
        try {
            got.put(((body[0] & 0xff) << 8) | (body[1] & 0xff));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anExclusiveQueueGoesWithItsConnection() throws Exception {
        Connection owner = factory().newConnection();
        owner.createChannel().queueDeclare("mine", false, true, false, null);
        assertThatThrownBy(() -> connection.createChannel().queueDeclarePassive("mine"))
                .cause()
                .hasMessageContaining(
                        "RESOURCE_LOCKED - cannot obtain exclusive access to locked queue 'mine' in vhost '/'");
        owner.close();
        Awaitility.await().until(() -> broker.queue("mine") == null);
    }

    @Test
    void anAutoDeleteQueueGoesWithItsLastConsumer() throws Exception {
        channel.queueDeclare("auto", false, false, true, null);
        String one = channel.basicConsume("auto", true, (tag, delivery) -> {}, tag -> {});
        Channel second = connection.createChannel();
        second.basicConsume("auto", true, (tag, delivery) -> {}, tag -> {});
        channel.basicCancel(one);
        assertThat(broker.queue("auto")).isNotNull();
        second.close();
        Awaitility.await().until(() -> broker.queue("auto") == null);
    }

    @Test
    void aConsumerHearsThatItsQueueIsDeleted() throws Exception {
        channel.queueDeclare("q", false, false, false, null);
        BlockingQueue<String> cancelled = new LinkedBlockingQueue<>();
        channel.basicConsume("q", false, "tag", (tag, delivery) -> {}, cancelled::add);
        connection.createChannel().queueDelete("q");
        assertThat(cancelled.poll(30, TimeUnit.SECONDS)).isEqualTo("tag");
    }

    @Test
    void aFullQueueNacksAndAMandatoryMessageReturns() throws Exception {
        channel.queueDeclare("q", false, false, false, Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        channel.confirmSelect();
        channel.addConfirmListener(
                (tag, isMultiple) -> seen.add("ack " + tag), (tag, isMultiple) -> seen.add("nack " + tag));
        channel.addReturnListener(returned -> seen.add("return " + returned.getReplyText()));
        channel.basicPublish("", "q", null, new byte[1]);
        channel.waitForConfirms(30_000);
        channel.basicPublish("", "q", null, new byte[1]);
        channel.waitForConfirms(30_000);
        channel.basicPublish("", "nowhere", true, null, new byte[1]);
        channel.waitForConfirms(30_000);
        assertThat(seen).containsExactly("ack 1", "nack 2", "return NO_ROUTE", "ack 3");
    }

    @Test
    void aConnectionWithTooManyUnansweredPublishesIsNoLongerRead() throws Exception {
        channel.queueDeclare("q", false, false, false, null);
        channel.confirmSelect();
        broker.queue("q").isStuck = true;
        AtomicInteger acked = new AtomicInteger();
        channel.addConfirmListener((tag, isMultiple) -> acked.set((int) tag), (tag, isMultiple) -> {});
        int total = 3 * PublishWindow.MESSAGES_MAX;
        byte[] body = new byte[1_000];
        Thread publisher = new Thread(() -> {
            try {
                for (int i = 0; i < total; i++) {
                    channel.basicPublish("", "q", null, body);
                }
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        publisher.start();
        Awaitility.await().until(() -> "flow".equals(state()));
        assertThat(unconfirmed()).isBetween(PublishWindow.MESSAGES_MAX, 2 * PublishWindow.MESSAGES_MAX);
        broker.queue("q").unstick();
        publisher.join(30_000);
        Awaitility.await().until(() -> acked.get() == total);
        assertThat(state()).isEqualTo("running");
    }

    private String state() throws Exception {
        return broker.server
                .connections()
                .connections()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS)
                .get(0)
                .state();
    }

    private int unconfirmed() throws Exception {
        return broker.server
                .connections()
                .channels()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS)
                .get(0)
                .unconfirmed();
    }

    @Test
    void connectionsAndChannelsAreListed() throws Exception {
        channel.queueDeclare("q", false, false, false, null);
        channel.basicQos(7);
        channel.basicConsume("q", false, "tag", (tag, delivery) -> {}, tag -> {});
        ConnectionStatistics statistics = broker.server
                .connections()
                .connections()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS)
                .get(0);
        assertThat(statistics.userProvidedName()).isEqualTo("test");
        assertThat(statistics.name()).endsWith(" -> 127.0.0.1:" + broker.port);
        assertThat(statistics.channels()).isEqualTo(1);
        ChannelStatistics channels = broker.server
                .connections()
                .channels()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS)
                .get(0);
        assertThat(channels.name()).isEqualTo(statistics.name() + " (1)");
        assertThat(channels.consumers()).singleElement().satisfies(consumer -> {
            assertThat(consumer.consumerTag()).isEqualTo("tag");
            assertThat(consumer.prefetch()).isEqualTo(7);
        });
        assertThat(broker.server.connections().closeConnection(statistics.name(), "bye"))
                .isTrue();
        Awaitility.await().until(() -> !connection.isOpen());
        assertThat(connection.getCloseReason().getMessage())
                .contains("reply-code=320, reply-text=CONNECTION_FORCED - bye");
    }

    @Test
    void aPausedNodeTellsItsClientsWhy() throws Exception {
        broker.server.connections().refuseNew("no majority");
        broker.server
                .connections()
                .closeAll("no majority")
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS);
        Awaitility.await().until(() -> !connection.isOpen());
        assertThatThrownBy(() -> factory().newConnection())
                .rootCause()
                .isInstanceOf(ShutdownSignalException.class)
                .hasMessageContaining("CONNECTION_FORCED - no majority");
        broker.server.connections().accept();
        factory().newConnection().close();
    }

    @Test
    void aNodeThatStopsTakesNobodyWhenItsMajorityComesBackMeanwhile() {
        ConnectionRegistry connections = broker.server.connections();
        connections.refuseNew("no majority");
        connections.refuseForGood("shutdown");
        connections.accept();
        assertThatThrownBy(() -> factory().newConnection())
                .rootCause()
                .isInstanceOf(ShutdownSignalException.class)
                .hasMessageContaining("CONNECTION_FORCED - shutdown");
        connections.refuseNew("no majority");
        assertThat(connections.refusal()).isEqualTo("shutdown");
    }

    @Test
    void anAlarmBlocksPublishersAndTellsThem() throws Exception {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        connection.addBlockedListener(seen::add, () -> seen.add("unblocked"));
        broker.server.connections().block("low on memory");
        assertThat(channel.queueDeclare().getQueue()).isNotEmpty();
        channel.basicPublish("", "nowhere", null, new byte[1]);
        assertThat(seen.poll(30, TimeUnit.SECONDS)).isEqualTo("low on memory");
        assertThat(state()).isEqualTo("blocked");
        broker.server.connections().unblock();
        assertThat(seen.poll(30, TimeUnit.SECONDS)).isEqualTo("unblocked");
        assertThat(channel.queueDeclare().getQueue()).isNotEmpty();
    }

    /** The publish before has been handed over by the time of the next answer, but may still be on its way to the queue. */
    private static GetResponse get(Channel channel, String queue, boolean isAutoAck) {
        return Awaitility.await().until(() -> channel.basicGet(queue, isAutoAck), response -> response != null);
    }
}
