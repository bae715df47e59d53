package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.amqp.wire.BasicMethod;
import io.leveret.node.amqp.wire.ChannelMethod;
import io.leveret.node.amqp.wire.ConnectionMethod;
import io.leveret.node.amqp.wire.Method;
import io.leveret.node.amqp.wire.QueueMethod;
import io.leveret.node.broker.message.MessageProperties;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The opening of a connection, and how its channels are counted and closed. What is refused is in {@link RefusalTest}. */
@Timeout(120)
class ProtocolTest {
    private static final Map<String, Object> CAPABILITIES = Map.of(
            "publisher_confirms", true,
            "exchange_exchange_bindings", true,
            "basic.nack", true,
            "consumer_cancel_notify", true,
            "connection.blocked", true,
            "consumer_priorities", true,
            "authentication_failure_close", true,
            "per_consumer_qos", true,
            "direct_reply_to", true);

    private static MemoryBroker broker;

    @BeforeAll
    static void start() throws IOException {
        broker = new MemoryBroker();
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            assertThat(client.send(1, declareQueue("eq", true)).next()).startsWith("DeclareOk");
        }
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static QueueMethod.Declare declareQueue(String name, boolean isDurable) {
        return new QueueMethod.Declare(name, false, isDurable, false, false, false, Map.of());
    }

    private static QueueMethod.Declare passive(String name) {
        return new QueueMethod.Declare(name, true, false, false, false, false, Map.of());
    }

    private static BasicMethod.Publish publish(String exchange, String key, boolean isMandatory) {
        return new BasicMethod.Publish(exchange, key, isMandatory, false);
    }

    private static BasicMethod.Consume consume(String queue, String tag, boolean isExclusive) {
        return new BasicMethod.Consume(queue, tag, false, false, isExclusive, false, Map.of());
    }

    /** Sends methods on channel 1 of a fresh connection; the last frame that comes is what counts. */
    private static void assertAnswer(String expected, Method... methods) throws IOException {
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            String seen = "";
            for (Method method : methods) {
                seen = client.send(1, method).next();
            }
            assertThat(seen).isEqualTo(expected);
        }
    }

    @Test
    void theServerSaysWhatItIs() throws IOException {
        try (RawClient client = new RawClient(broker.port)) {
            client.raw("414d515000000901").next();
            ConnectionMethod.Start start = (ConnectionMethod.Start) client.lastMethod();
            assertThat(start.versionMajor()).isZero();
            assertThat(start.versionMinor()).isEqualTo(9);
            assertThat(new String(start.mechanisms(), StandardCharsets.US_ASCII))
                    .isEqualTo("PLAIN AMQPLAIN");
            assertThat(start.serverProperties())
                    .containsEntry("product", "Leveret")
                    .containsEntry("cluster_name", "golden")
                    .containsEntry("capabilities", CAPABILITIES);
            client.startOk("PLAIN", "\0guest\0guest", true);
            assertThat(client.next()).isEqualTo("Tune[channelMax=2047, frameMax=131072, heartbeat=60]");
        }
    }

    @Test
    void otherProtocolsAreToldWhichOneIsSpoken() throws IOException {
        for (String hex :
                new String[] {"414d515000000902", "414d515000010000", "474554202f20485454502f312e300d0a0d0a", "4142"}) {
            try (RawClient client = new RawClient(broker.port)) {
                assertThat(client.raw(hex).rest()).asHexString().isEqualTo("414D515000000901");
            }
        }
    }

    @Test
    void aWrongPasswordIsToldToThoseWhoUnderstand() throws IOException {
        String expected =
                "connection.close 403 ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN."
                        + " For details see the broker logfile. (0,0) on 0";
        for (String response : new String[] {"\0guest\0wrong", "\0nobody\0guest"}) {
            try (RawClient client = new RawClient(broker.port)) {
                client.raw("414d515000000901").next();
                client.startOk("PLAIN", response, true);
                assertThat(client.next()).isEqualTo(expected);
            }
        }
    }

    @Test
    void aHandshakeThatGoesWrongEndsWithoutAWord() throws IOException {
        assertEndSilently(
                client -> client.startOk("PLAIN", "\0guest\0wrong", false),
                client -> client.startOk("EXTERNAL", "", true),
                client -> client.startOk("PLAIN", "guest", true),
                client -> client.startOk("AMQPLAIN", "garbage", true),
                client -> client.send(0, new ConnectionMethod.Open("/")),
                client -> client.send(1, new ChannelMethod.Open()),
                client -> tune(client, 1000, 2047),
                client -> tune(client, 1_000_000, 2047),
                client -> tune(client, 0, 2047),
                client -> tune(client, 131_072, 65_535),
                client -> tune(client, 131_072, 0));
    }

    @Test
    void theSmallestFrameMaxAndAnyLocaleAreFine() throws IOException {
        try (RawClient client = new RawClient(broker.port)) {
            client.raw("414d515001010009").next(); // AMQP 0-9 asks for the same protocol
            client.send(
                    0,
                    new ConnectionMethod.StartOk(
                            Map.of(), "PLAIN", "\0guest\0guest".getBytes(StandardCharsets.UTF_8), "bogus"));
            client.next();
            client.send(0, new ConnectionMethod.TuneOk(2047, 4096, 0)).send(0, new ConnectionMethod.Open("/"));
            assertThat(client.next()).isEqualTo("OpenOk[]");
            client.send(1, new ChannelMethod.Open()).next();
            client.raw("03000100001000");
            assertThat(client.next())
                    .isEqualTo("connection.close 501 FRAME_ERROR - type 3, all octets = <<>>:"
                            + " {frame_too_large,4096,4088} (0,0) on 0");
        }
    }

    @Test
    void aSilentClientIsNotWaitedForForever() throws IOException {
        try (RawClient mute = new RawClient(broker.port);
                RawClient half = new RawClient(broker.port);
                RawClient asleep = new RawClient(broker.port)) {
            half.raw("414d515000000901").next();
            asleep.raw("414d515000000901").next();
            asleep.startOk("PLAIN", "\0guest\0guest", true);
            asleep.next();
            asleep.send(0, new ConnectionMethod.TuneOk(10, 131_072, 1)).send(0, new ConnectionMethod.Open("/"));
            assertThat(asleep.next()).isEqualTo("OpenOk[]");
            assertThat(asleep.next()).isEqualTo("heartbeat");
            String seen = "heartbeat";
            int heartbeats = 0;
            while (seen.equals("heartbeat")) {
                seen = asleep.next();
                heartbeats++;
            }
            assertThat(seen).isEqualTo("end");
            assertThat(heartbeats).isBetween(2, 6);
            assertThat(half.next()).isEqualTo("end");
            assertThat(mute.next()).isEqualTo("end");
        }
    }

    private interface Step {
        void run(RawClient client) throws IOException;
    }

    private static void tune(RawClient client, int frameMax, int channelMax) throws IOException {
        client.startOk("PLAIN", "\0guest\0guest", true);
        assertThat(client.next()).startsWith("Tune[");
        client.send(0, new ConnectionMethod.TuneOk(channelMax, frameMax, 0)).send(0, new ConnectionMethod.Open("/"));
    }

    /** All at once: each takes the seconds that slow down those who try passwords. */
    private static void assertEndSilently(Step... steps) throws IOException {
        List<RawClient> clients = new ArrayList<>();
        for (Step step : steps) {
            RawClient client = new RawClient(broker.port);
            clients.add(client);
            client.raw("414d515000000901").next();
            step.run(client);
        }
        for (RawClient client : clients) {
            assertThat(client.next()).isEqualTo("end");
            client.close();
        }
    }

    @Test
    void amqPlainIsUnderstood() throws IOException {
        try (RawClient client = new RawClient(broker.port)) {
            client.raw("414d515000000901").next();
            client.startOk("AMQPLAIN", "\5LOGINS\0\0\0\5guest\10PASSWORDS\0\0\0\5guest", true);
            assertThat(client.next()).startsWith("Tune[");
        }
    }

    @Test
    void vhostsAreGuarded() throws IOException {
        assertOpen("guest", "nosuch", "connection.close 530 NOT_ALLOWED - vhost nosuch not found (10,40) on 0");
        assertOpen("guest", "", "connection.close 530 NOT_ALLOWED - vhost  not found (10,40) on 0");
        assertOpen(
                "novh",
                "/",
                "connection.close 530 NOT_ALLOWED - access to vhost '/' refused for user 'novh' (10,40) on 0");
    }

    private static void assertOpen(String user, String vhost, String expected) throws IOException {
        try (RawClient client = new RawClient(broker.port)) {
            client.raw("414d515000000901").next();
            client.startOk("PLAIN", "\0" + user + "\0" + user, true);
            client.next();
            client.send(0, new ConnectionMethod.TuneOk(10, 131_072, 0)).send(0, new ConnectionMethod.Open(vhost));
            assertThat(client.next()).isEqualTo(expected);
        }
    }

    @Test
    void channelsAreCountedNotNumbered() throws IOException {
        try (RawClient client = RawClient.open(broker.port, "guest", "/", 3)) {
            for (int number : new int[] {1, 3000, 7}) {
                assertThat(client.send(number, new ChannelMethod.Open()).next()).isEqualTo("OpenOk[]");
            }
            assertThat(client.send(2, new ChannelMethod.Open()).next())
                    .isEqualTo(
                            "connection.close 530 NOT_ALLOWED - number of channels opened (3) has reached the negotiated"
                                    + " channel_max (3) (0,0) on 0");
        }
    }

    @Test
    void aClosedChannelDiscardsUntilItsCloseIsAgreed() throws IOException {
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            assertThat(client.send(1, passive("nosuch")).next()).startsWith("channel.close 404");
            client.send(1, passive("eq")).publish(1, publish("", "eq", true), MessageProperties.NONE, "x");
            client.send(1, new ChannelMethod.CloseOk()).send(1, new ChannelMethod.Open());
            assertThat(client.next()).isEqualTo("OpenOk[]");
            assertThat(client.send(1, passive("eq")).next()).startsWith("DeclareOk");
        }
    }

    @Test
    void anExclusiveConsumerLeavesNothingForGet() throws IOException {
        try (RawClient owner = RawClient.withChannel(broker.port, "guest")) {
            owner.send(1, declareQueue("alone", false)).next();
            owner.publish(1, publish("", "alone", false), MessageProperties.NONE, "x");
            assertThat(owner.send(1, new BasicMethod.Qos(0, 1, false)).next()).isEqualTo("QosOk[]");
            assertThat(owner.send(1, consume("alone", "t", true)).next()).startsWith("ConsumeOk");
            assertAnswer("GetEmpty[]", new BasicMethod.Get("alone", false));
        }
    }
}
