package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions as the Java client sees them, on one node in memory. */
@Timeout(60)
class TransactionClientTest {
    private final MemoryBroker broker = new MemoryBroker();
    private Connection connection;
    private Channel channel;
    private Channel other;

    @BeforeEach
    void connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(broker.port);
        factory.setAutomaticRecoveryEnabled(false);
        factory.setChannelRpcTimeout(30_000);
        connection = factory.newConnection("test");
        channel = connection.createChannel();
        other = connection.createChannel();
        channel.queueDeclare("q", false, false, false, null);
    }

    @AfterEach
    void close() {
        broker.close();
        connection.abort(2_000);
    }

    private void publish(String text) throws IOException {
        channel.basicPublish("", "q", MessageProperties.PERSISTENT_BASIC, text.getBytes(StandardCharsets.UTF_8));
    }

    private long ready(String queue) throws IOException {
        return other.messageCount(queue);
    }

    private void awaitReady(long count) {
        Awaitility.await().untilAsserted(() -> assertThat(ready("q")).isEqualTo(count));
    }

    private static String text(GetResponse got) {
        return new String(got.getBody(), StandardCharsets.UTF_8);
    }

    @Test
    void nothingIsThereBeforeTheCommitAndEverythingAfterwards() throws Exception {
        channel.txSelect();
        publish("1");
        publish("2");
        assertThat(ready("q")).isZero();
        channel.txCommit();
        assertThat(ready("q")).isEqualTo(2);
        publish("3");
        channel.txRollback();
        channel.txCommit();
        assertThat(ready("q")).isEqualTo(2);
    }

    @Test
    void acksOfARolledBackTransactionCanBeGivenAgain() throws Exception {
        publish("1");
        publish("2");
        awaitReady(2);
        GetResponse first = channel.basicGet("q", false);
        channel.txSelect();
        GetResponse second = channel.basicGet("q", false);
        channel.basicAck(second.getEnvelope().getDeliveryTag(), true);
        channel.txRollback();
        channel.basicAck(first.getEnvelope().getDeliveryTag(), false);
        channel.basicNack(second.getEnvelope().getDeliveryTag(), false, true);
        assertThat(ready("q")).as("the verdicts wait for the commit").isZero();
        channel.txCommit();
        awaitReady(1);
        GetResponse again = channel.basicGet("q", true);
        assertThat(text(again)).isEqualTo("2");
        assertThat(again.getEnvelope().isRedeliver()).isTrue();
    }

    @Test
    void aTagThatWaitsForItsCommitIsUnknown() throws Exception {
        publish("1");
        awaitReady(1);
        channel.txSelect();
        long tag = channel.basicGet("q", false).getEnvelope().getDeliveryTag();
        channel.basicAck(tag, false);
        channel.basicAck(tag, false);
        assertThatThrownBy(channel::txCommit).hasStackTraceContaining("unknown delivery tag " + tag);
        awaitReady(1);
    }

    @Test
    void aClosedChannelHasRolledBack() throws Exception {
        publish("1");
        awaitReady(1);
        channel.txSelect();
        channel.basicAck(channel.basicGet("q", false).getEnvelope().getDeliveryTag(), false);
        publish("2");
        channel.close();
        awaitReady(1);
        assertThat(text(other.basicGet("q", true))).isEqualTo("1");
    }

    @Test
    void aPrefetchIsUsedUpUntilTheCommit() throws Exception {
        for (int i = 0; i < 4; i++) {
            publish("" + i);
        }
        BlockingQueue<Delivery> seen = new LinkedBlockingQueue<>();
        channel.txSelect();
        channel.basicQos(2);
        channel.basicConsume("q", false, (tag, delivery) -> seen.add(delivery), tag -> {});
        seen.poll(30, TimeUnit.SECONDS);
        long tag = seen.poll(30, TimeUnit.SECONDS).getEnvelope().getDeliveryTag();
        channel.basicAck(tag, true);
        assertThat(ready("q")).isEqualTo(2);
        assertThat(seen).isEmpty();
        channel.txCommit();
        assertThat(seen.poll(30, TimeUnit.SECONDS)).isNotNull();
        assertThat(seen.poll(30, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void unroutableMessagesReturnAtTheCommit() throws Exception {
        BlockingQueue<String> returned = new LinkedBlockingQueue<>();
        channel.addReturnListener(back -> returned.add(back.getRoutingKey()));
        other.queueDeclare("gone", false, false, false, null);
        channel.txSelect();
        channel.basicPublish("", "nowhere", true, null, new byte[1]);
        channel.basicPublish("", "gone", true, null, new byte[1]);
        assertThat(ready("q")).isZero();
        assertThat(returned).isEmpty();
        other.queueDelete("gone");
        channel.txCommit();
        assertThat(returned.poll(30, TimeUnit.SECONDS)).isEqualTo("nowhere");
        assertThat(returned.poll(30, TimeUnit.SECONDS)).isEqualTo("gone");
    }

    @Test
    void aRefusedPublishFailsTheCommitAndItsAcks() throws Exception {
        channel.queueDeclare("full", false, false, false, Map.of("x-max-length", 1, "x-overflow", "reject-publish"));
        publish("1");
        awaitReady(1);
        channel.txSelect();
        channel.basicAck(channel.basicGet("q", false).getEnvelope().getDeliveryTag(), false);
        channel.basicPublish("", "full", null, new byte[1]);
        channel.basicPublish("", "full", null, new byte[1]);
        assertThatThrownBy(channel::txCommit)
                .hasStackTraceContaining("reply-code=406, reply-text=PRECONDITION_FAILED - partial tx completion")
                .hasStackTraceContaining("class-id=90, method-id=20");
        awaitReady(1);
        assertThat(ready("full")).isEqualTo(1);
    }

    @Test
    void aListingTellsWhatATransactionHolds() throws Exception {
        publish("1");
        awaitReady(1);
        channel.txSelect();
        channel.basicAck(channel.basicGet("q", false).getEnvelope().getDeliveryTag(), false);
        publish("2");
        publish("3");
        assertThat(channel.queueDeclarePassive("q").getMessageCount()).isZero();
        ChannelStatistics seen =
                broker.server.connections().channels().toCompletableFuture().get(30, TimeUnit.SECONDS).stream()
                        .filter(ChannelStatistics::isTransactional)
                        .findFirst()
                        .orElseThrow();
        assertThat(seen.uncommitted()).isEqualTo(2);
        assertThat(seen.uncommittedAcks()).isEqualTo(1);
        assertThat(seen.unacked()).isZero();
    }

    @Test
    void commitOkWaitsForTheQueues() throws Exception {
        channel.txSelect();
        publish("1");
        MemoryQueue queue = broker.queue("q");
        queue.isStuck = true;
        CompletableFuture<Void> committed = CompletableFuture.runAsync(() -> {
            try {
                channel.txCommit();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        awaitReady(1);
        assertThat(committed).isNotDone();
        queue.unstick();
        committed.get(30, TimeUnit.SECONDS);
    }

    @Test
    void aCommitOfMoreThanTheWindowGoesThroughInParts() throws Exception {
        channel.txSelect();
        int count = 2 * PublishWindow.MESSAGES_MAX + 1;
        for (int i = 0; i < count; i++) {
            publish("" + i);
        }
        channel.txCommit();
        assertThat(ready("q")).isEqualTo(count);
        assertThat(text(channel.basicGet("q", true))).isEqualTo("0");
    }

    @Test
    void aCommitWaitsForNoOtherChannelsAnswers() throws Exception {
        other.queueDeclare("stuck", false, false, false, null);
        broker.queue("stuck").isStuck = true;
        channel.txSelect();
        publish("1");
        publish("2");
        publish("3");
        other.basicPublish("", "stuck", null, new byte[100_000]);
        Awaitility.await()
                .untilAsserted(() ->
                        assertThat(broker.server.connections().intake().bytes()).isPositive());
        broker.isCongested = true;
        channel.txCommit();
        broker.isCongested = false;
        broker.queue("stuck").unstick();
        assertThat(ready("q")).isEqualTo(3);
    }

    @Test
    void whatIsHeldMeetsAnAlarm() throws Exception {
        BlockingQueue<String> blocked = new LinkedBlockingQueue<>();
        connection.addBlockedListener(blocked::add, () -> blocked.add("unblocked"));
        broker.server.connections().block("low on memory");
        channel.txSelect();
        publish("1");
        assertThat(blocked.poll(30, TimeUnit.SECONDS)).isEqualTo("low on memory");
        broker.server.connections().unblock();
        assertThat(blocked.poll(30, TimeUnit.SECONDS)).isEqualTo("unblocked");
        channel.txCommit();
        assertThat(ready("q")).isEqualTo(1);
    }

    @Test
    void aTransactionThatHoldsTooMuchIsRefused() throws Exception {
        channel.txSelect();
        byte[] body = new byte[8 << 20];
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 9; i++) {
                        channel.basicPublish("", "q", null, body);
                    }
                    channel.txCommit();
                })
                .hasStackTraceContaining("transaction too large: this connection's transactions hold more than");
        Channel next = connection.createChannel();
        next.txSelect();
        next.basicPublish("", "q", null, body);
        next.txCommit();
        assertThat(ready("q")).as("what was refused holds nothing").isEqualTo(1);
    }
}
