package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.amqp.wire.BasicMethod;
import io.leveret.node.amqp.wire.ChannelMethod;
import io.leveret.node.amqp.wire.ConfirmMethod;
import io.leveret.node.amqp.wire.Method;
import io.leveret.node.amqp.wire.QueueMethod;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.message.Property;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Direct reply-to: the consumer that is no queue, its address, and what happens to answers. */
@Timeout(60)
class DirectReplyTest {
    private static final String NAME = "amq.rabbitmq.reply-to";
    private static final String CLOSED = "channel.close 406 PRECONDITION_FAILED - ";

    private static MemoryBroker broker;

    @BeforeAll
    static void start() throws IOException {
        broker = new MemoryBroker();
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            client.send(1, new QueueMethod.Declare("requests", false, true, false, false, false, Map.of()));
            assertThat(client.next()).startsWith("DeclareOk");
        }
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static BasicMethod.Consume consume(String tag, boolean isNoAck) {
        return new BasicMethod.Consume(NAME, tag, false, isNoAck, false, false, Map.of());
    }

    private static QueueMethod.Declare declare(String name, boolean isPassive) {
        return new QueueMethod.Declare(name, isPassive, false, false, false, false, Map.of());
    }

    private static BasicMethod.Publish publish(String key, boolean isMandatory) {
        return new BasicMethod.Publish("", key, isMandatory, false);
    }

    private static byte[] withReplyTo(String replyTo) {
        return MessageProperties.builder().text(Property.REPLY_TO, replyTo).toBytes();
    }

    private static RawClient requester() throws IOException {
        RawClient client = RawClient.withChannel(broker.port, "guest");
        assertThat(client.send(1, consume("t", true)).next()).isEqualTo("ConsumeOk[consumerTag=t]");
        return client;
    }

    /** The address under which a requester can be answered: it asks, and the request is looked at. */
    private static String addressOf(RawClient requester) throws IOException {
        requester.publish(1, publish("requests", false), withReplyTo(NAME), "?");
        try (RawClient responder = RawClient.withChannel(broker.port, "guest")) {
            String got = "GetEmpty[]";
            while (got.equals("GetEmpty[]")) {
                got = responder.send(1, new BasicMethod.Get("requests", true)).next();
            }
            assertThat(got).startsWith("GetOk");
            responder.next();
            assertThat(responder.next()).isEqualTo("body ?");
            String replyTo = responder.lastProperties().text(Property.REPLY_TO);
            assertThat(replyTo).startsWith(NAME + ".").hasSizeLessThan(128);
            return replyTo;
        }
    }

    private static String last(RawClient client, Method... methods) throws IOException {
        String seen = "";
        for (Method each : methods) {
            seen = client.send(1, each).next();
        }
        return seen;
    }

    private static void assertAnswer(String expected, Method... methods) throws IOException {
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            assertThat(last(client, methods)).isEqualTo(expected);
        }
    }

    private static String notFound(String name) {
        return "channel.close 404 NOT_FOUND - no queue '" + name + "' in vhost '/' (50,10) on 1";
    }

    @Test
    void theConsumerIsOneOfItsKind() throws IOException {
        assertAnswer(CLOSED + "reply consumer cannot acknowledge (60,20) on 1", consume("", false));
        assertAnswer(CLOSED + "reply consumer already set (60,20) on 1", consume("a", true), consume("b", true));
        assertAnswer(
                "connection.close 530 NOT_ALLOWED - attempt to reuse consumer tag 'a' (60,20) on 0",
                consume("a", true),
                consume("a", true));
        assertAnswer(
                "ConsumeOk[consumerTag=b]", consume("a", true), new BasicMethod.Cancel("a", false), consume("b", true));
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            assertThat(client.send(1, consume("", true)).next()).startsWith("ConsumeOk[consumerTag=amq.ctag-");
        }
        try (RawClient client = RawClient.withChannel(broker.port, "ro")) {
            assertThat(client.send(1, consume("t", true)).next()).isEqualTo("ConsumeOk[consumerTag=t]");
        }
    }

    @Test
    void aRequestNeedsItsConsumer() throws IOException {
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            client.publish(1, publish("requests", false), withReplyTo(NAME), "?");
            assertThat(client.next()).isEqualTo(CLOSED + "fast reply consumer does not exist (60,40) on 1");
        }
        try (RawClient client = requester()) {
            client.send(1, new BasicMethod.Cancel("t", false)).next();
            client.publish(1, publish("requests", false), withReplyTo(NAME), "?");
            assertThat(client.next()).isEqualTo(CLOSED + "fast reply consumer does not exist (60,40) on 1");
        }
    }

    @Test
    void declaringLooksForTheClientAndMakesNothing() throws IOException {
        for (boolean isPassive : new boolean[] {true, false}) {
            assertAnswer("DeclareOk[queue=" + NAME + ", messageCount=0, consumerCount=1]", declare(NAME, isPassive));
            for (String name : List.of(NAME + ".garbage", NAME + "x", NAME + "." + "A".repeat(16) + ".b")) {
                assertAnswer(notFound(name), declare(name, isPassive));
            }
        }
        String address;
        try (RawClient requester = requester()) {
            address = addressOf(requester);
            String found = "DeclareOk[queue=" + address + ", messageCount=0, consumerCount=1]";
            assertAnswer(found, declare(address, true));
            assertAnswer(found, declare(address, false));
            char end = address.charAt(address.length() - 2) == 'A' ? 'B' : 'A';
            String forged = address.substring(0, address.length() - 2) + end + address.charAt(address.length() - 1);
            assertAnswer(notFound(forged), declare(forged, true));
            requester.send(1, new ChannelMethod.Close(200, "", 0, 0));
            assertThat(requester.next()).isEqualTo("CloseOk[]");
            assertAnswer(notFound(address), declare(address, true));
        }
        assertAnswer(
                "channel.close 404 NOT_FOUND - no queue '" + NAME + "' in vhost '/' (60,70) on 1",
                new BasicMethod.Get(NAME, true));
        assertAnswer("DeleteOk[messageCount=0]", new QueueMethod.Delete(NAME, false, false, false));
    }

    @Test
    void answersComeInOrderAndCarryTheAddressAsTheirKey() throws IOException {
        try (RawClient requester = requester();
                RawClient responder = RawClient.withChannel(broker.port, "guest")) {
            String address = addressOf(requester);
            for (String body : List.of("one", "two")) {
                responder.publish(1, publish(address, false), MessageProperties.NONE, body);
            }
            for (int i = 1; i <= 2; i++) {
                assertThat(requester.next())
                        .isEqualTo("Deliver[consumerTag=t, deliveryTag=" + i + ", isRedelivered=false, exchange=,"
                                + " routingKey=" + address + "]");
                requester.next();
                assertThat(requester.next()).isEqualTo(i == 1 ? "body one" : "body two");
            }
            // What the client has no need to acknowledge, it cannot.
            requester.send(1, new BasicMethod.Ack(1, false));
            assertThat(requester.next()).isEqualTo(CLOSED + "unknown delivery tag 1 (60,80) on 1");
        }
    }

    @Test
    void anAnswerIsNeverRoutedToAQueue() throws IOException {
        try (RawClient requester = requester();
                RawClient responder = RawClient.withChannel(broker.port, "guest")) {
            String address = addressOf(requester);
            responder.send(1, new ConfirmMethod.Select(false)).next();
            responder.publish(1, publish(address, false), MessageProperties.NONE, "one");
            assertThat(responder.next()).isEqualTo("Ack[deliveryTag=1, isMultiple=false]");
            for (String key : List.of(address, NAME + ".garbage", NAME)) {
                responder.publish(1, publish(key, true), MessageProperties.NONE, "two");
                assertThat(responder.next())
                        .isEqualTo("Return[replyCode=312, replyText=NO_ROUTE, exchange=, routingKey=" + key + "]");
                responder.next();
                responder.next();
                assertThat(responder.next()).startsWith("Ack[deliveryTag=");
            }
            requester.next();
            requester.next();
            assertThat(requester.next()).isEqualTo("body one");
            requester.next();
            requester.next();
            assertThat(requester.next()).isEqualTo("body two"); // returned, and delivered all the same
        }
    }

    @Test
    void aCopyIsAnAnswerToo() throws IOException {
        try (RawClient requester = requester();
                RawClient responder = RawClient.withChannel(broker.port, "guest")) {
            byte[] header = MessageProperties.builder()
                    .headers(Map.of("CC", List.of(addressOf(requester), NAME + ".garbage")))
                    .toBytes();
            responder.publish(1, publish("nosuch", false), header, "copy");
            requester.next();
            requester.next();
            assertThat(requester.next()).isEqualTo("body copy");
        }
    }

    @Test
    void answersAreDroppedWhenTheClientLeavesTooMuchUnread() throws IOException {
        try (RawClient requester = requester();
                RawClient responder = RawClient.withChannel(broker.port, "guest")) {
            String address = addressOf(requester);
            responder.send(1, new ConfirmMethod.Select(false)).next();
            String body = "x".repeat(100_000);
            int count = 4 * DirectReplies.PENDING_BYTES_MAX / body.length();
            for (int i = 0; i < count; i++) {
                responder.publish(1, publish(address, false), MessageProperties.NONE, body);
            }
            responder.send(1, new ConfirmMethod.Select(false));
            String seen = responder.next();
            while (!seen.equals("SelectOk[]")) {
                seen = responder.next(); // nobody waits for the one who does not read
            }
            int arrived = 0;
            requester.send(1, new ConfirmMethod.Select(false));
            seen = requester.next();
            while (!seen.equals("SelectOk[]")) {
                arrived += seen.startsWith("Deliver") ? 1 : 0;
                seen = requester.next();
            }
            assertThat(arrived).isPositive().isLessThan(count);
        }
    }
}
