package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.amqp.wire.BasicMethod;
import io.leveret.node.amqp.wire.ChannelMethod;
import io.leveret.node.amqp.wire.ConfirmMethod;
import io.leveret.node.amqp.wire.ConnectionMethod;
import io.leveret.node.amqp.wire.ExchangeMethod;
import io.leveret.node.amqp.wire.Method;
import io.leveret.node.amqp.wire.QueueMethod;
import io.leveret.node.amqp.wire.TxMethod;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.message.MessagePropertiesBuilder;
import io.leveret.node.broker.message.Property;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reply codes, texts and the ids in close methods are a contract: clients, and people's scripts, read them. */
@Timeout(120)
class ProtocolTest {
    private static final String LOCKED =
            "channel.close 405 RESOURCE_LOCKED - cannot obtain exclusive access to locked queue"
                    + " 'xq' in vhost '/'. It could be originally declared on another connection or the exclusive property value"
                    + " does not match that of the original declaration.";

    private static MemoryBroker broker;

    @BeforeAll
    static void start() throws IOException {
        broker = new MemoryBroker();
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            assertThat(client.send(1, declareQueue("eq", true)).next()).startsWith("DeclareOk");
            assertThat(client.send(1, declareExchange("xe", "direct")).next()).startsWith("DeclareOk");
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

    private static ExchangeMethod.Declare declareExchange(String name, String type) {
        return new ExchangeMethod.Declare(name, type, false, true, false, false, false, Map.of());
    }

    private static BasicMethod.Publish publish(String exchange, String key, boolean isMandatory) {
        return new BasicMethod.Publish(exchange, key, isMandatory, false);
    }

    private static BasicMethod.Consume consume(String queue, String tag, boolean isExclusive) {
        return new BasicMethod.Consume(queue, tag, false, false, isExclusive, false, Map.of());
    }

    /** Sends methods on channel 1 of a fresh connection; the last frame that comes is what counts. */
    private static void assertAnswer(String expected, Method... methods) throws IOException {
        assertAnswerFor("guest", expected, methods);
    }

    private static void assertAnswerFor(String user, String expected, Method... methods) throws IOException {
        try (RawClient client = RawClient.withChannel(broker.port, user)) {
            String seen = "";
            for (Method method : methods) {
                seen = client.send(1, method).next();
            }
            assertThat(seen).isEqualTo(expected);
        }
    }

    private static void assertPublish(String expected, MessagePropertiesBuilder properties, BasicMethod.Publish method)
            throws IOException {
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            client.publish(1, method, properties.toBytes(), "body").send(1, new ChannelMethod.Flow(true));
            assertThat(client.next()).isEqualTo(expected);
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
                    .containsEntry("cluster_name", "golden");
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
    void faultsOfTheConnection() throws IOException {
        assertAnswer(
                "connection.close 504 CHANNEL_ERROR - second 'channel.open' seen (20,10) on 0",
                new ChannelMethod.Open());
        assertAnswer(
                "connection.close 503 COMMAND_INVALID - unimplemented method (10,40) on 0",
                new ConnectionMethod.Open("/"));
        assertAnswer("connection.close 540 NOT_IMPLEMENTED - active=false (20,20) on 0", new ChannelMethod.Flow(false));
        assertAnswer("FlowOk[isActive=true]", new ChannelMethod.Flow(true));
        assertFault(
                "connection.close 504 CHANNEL_ERROR - expected 'channel.open' (50,10) on 0",
                c -> c.send(5, passive("eq")));
        assertFault(
                "connection.close 504 CHANNEL_ERROR - expected 'channel.open' (60,80) on 0",
                c -> c.send(5, new BasicMethod.Ack(1, false)));
        assertFault(
                "connection.close 504 CHANNEL_ERROR - unexpected method in connection state running (50,10) on 0",
                c -> c.send(0, passive("eq")));
        assertFault(
                "connection.close 504 CHANNEL_ERROR - unexpected method in connection state running (10,40) on 0",
                c -> c.send(0, new ConnectionMethod.Open("/")));
        assertFault("CloseOk[]", c -> c.send(0, new ConnectionMethod.Close(200, "bye", 0, 0)));
        assertFault(
                "connection.close 501 FRAME_ERROR - cannot decode <<0>> (50,10) on 0",
                c -> c.raw("010001000000050032000a00ce"));
        assertFault(
                "connection.close 501 FRAME_ERROR - type 1, all octets = <<0,20,0,10>>: {invalid_frame_end_marker,205}"
                        + " (0,0) on 0",
                c -> c.raw("010001000000040014000acd"));
        assertFault(
                "connection.close 501 FRAME_ERROR - type 3, all octets = <<>>: {frame_too_large,200000,131064} (0,0) on 0",
                c -> c.raw("03000100030d40"));
        assertFault(
                "connection.close 505 UNEXPECTED_FRAME - type 8, all octets = <<>> (0,0) on 0",
                c -> c.raw("08000100000000ce"));
    }

    @Test
    void faultsOfContent() throws IOException {
        String noMethod =
                "connection.close 505 UNEXPECTED_FRAME - expected method frame, got non method frame instead (0,0) on 0";
        assertFault(noMethod, c -> c.raw("0200010000000e" + "003c0000" + "0000000000000003" + "0000" + "ce"));
        assertFault(noMethod, c -> c.raw("03000100000001" + "61" + "ce"));
        assertFault(
                "connection.close 505 UNEXPECTED_FRAME - expected content header for class 60, got non content header frame"
                        + " instead (60,40) on 0",
                c -> c.send(1, publish("", "eq", false)).send(1, new ChannelMethod.Flow(true)));
        assertFault(
                "connection.close 505 UNEXPECTED_FRAME - expected content header for class 60, got one for class 50 instead"
                        + " (60,40) on 0",
                c -> c.send(1, publish("", "eq", false))
                        .raw("0200010000000e" + "00320000" + "0000000000000003" + "0000" + "ce"));
        assertFault(
                "connection.close 505 UNEXPECTED_FRAME - expected content body, got non content body frame instead (60,40)"
                        + " on 0",
                c -> c.send(1, publish("", "eq", false))
                        .raw("0200010000000e" + "003c0000" + "0000000000000003" + "0000" + "ce")
                        .send(1, new ChannelMethod.Flow(true)));
        assertFault(
                "channel.close 406 PRECONDITION_FAILED - message size 134217729 is larger than configured max size 134217728"
                        + " (60,40) on 1",
                c -> c.send(1, publish("", "eq", false))
                        .raw("0200010000000e" + "003c0000" + "0000000008000001" + "0000" + "ce"));
    }

    private static void assertFault(String expected, Step step) throws IOException {
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            step.run(client);
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
    void queues() throws IOException {
        assertAnswer("DeclareOk[queue=eq, messageCount=0, consumerCount=0]", declareQueue("eq", true));
        assertAnswer(
                "channel.close 406 PRECONDITION_FAILED - inequivalent arg 'durable' for queue 'eq' in vhost '/': received"
                        + " 'false' but current is 'true' (50,10) on 1",
                declareQueue("eq", false));
        assertAnswer("channel.close 404 NOT_FOUND - no queue 'nosuch' in vhost '/' (50,10) on 1", passive("nosuch"));
        assertAnswer("channel.close 404 NOT_FOUND - no queue '' in vhost '/' (50,10) on 1", passive(""));
        assertAnswer(
                "channel.close 403 ACCESS_REFUSED - queue name 'amq.mine' contains reserved prefix 'amq.*' (50,10) on 1",
                declareQueue("amq.mine", true));
        assertAnswer("DeclareOk[queue=a b\0c, messageCount=0, consumerCount=0]", declareQueue("a b\n\0c", true));
        assertAnswer("DeleteOk[messageCount=0]", new QueueMethod.Delete("nosuch", false, false, false));
        assertAnswer(
                "channel.close 404 NOT_FOUND - no previously declared queue (50,40) on 1",
                new QueueMethod.Delete("", false, false, false));
        assertAnswer(
                "channel.close 404 NOT_FOUND - no queue 'nosuch' in vhost '/' (50,30) on 1",
                new QueueMethod.Purge("nosuch", false));
        assertAnswer(
                "channel.close 404 NOT_FOUND - no exchange 'nosuch' in vhost '/' (50,20) on 1",
                new QueueMethod.Bind("eq", "nosuch", "k", false, Map.of()));
        assertAnswer(
                "channel.close 403 ACCESS_REFUSED - operation not permitted on the default exchange (50,20) on 1",
                new QueueMethod.Bind("eq", "", "k", false, Map.of()));
        assertAnswer("UnbindOk[]", new QueueMethod.Unbind("eq", "amq.direct", "nokey", Map.of()));
        assertAnswer("BindOk[]", declareQueue("", false), new QueueMethod.Bind("", "amq.direct", "", false, Map.of()));
    }

    @Test
    void anExclusiveQueueIsLockedForOthers() throws IOException {
        try (RawClient owner = RawClient.withChannel(broker.port, "guest")) {
            owner.send(1, new QueueMethod.Declare("xq", false, false, true, false, false, Map.of()));
            assertThat(owner.next()).startsWith("DeclareOk");
            for (Method method : new Method[] {
                passive("xq"),
                declareQueue("xq", false),
                new QueueMethod.Purge("xq", false),
                new QueueMethod.Delete("xq", false, false, false),
                new QueueMethod.Bind("xq", "amq.direct", "k", false, Map.of()),
                new BasicMethod.Get("xq", false),
                consume("xq", "t", false)
            }) {
                assertAnswer(LOCKED + " (" + method.classId() + "," + method.methodId() + ") on 1", method);
            }
            assertPublish("FlowOk[isActive=true]", MessageProperties.builder(), publish("", "xq", true));
        }
    }

    @Test
    void exchanges() throws IOException {
        assertAnswer("DeclareOk[]", declareExchange("xe", "direct"));
        assertAnswer(
                "channel.close 406 PRECONDITION_FAILED - inequivalent arg 'type' for exchange 'xe' in vhost '/': received"
                        + " 'topic' but current is 'direct' (40,10) on 1",
                declareExchange("xe", "topic"));
        assertAnswer(
                "connection.close 503 COMMAND_INVALID - invalid exchange type 'bogus' (40,10) on 0",
                declareExchange("new", "bogus"));
        assertAnswer(
                "channel.close 404 NOT_FOUND - no exchange 'nosuch' in vhost '/' (40,10) on 1",
                new ExchangeMethod.Declare("nosuch", "", true, false, false, false, false, Map.of()));
        assertAnswer(
                "channel.close 403 ACCESS_REFUSED - operation not permitted on the default exchange (40,10) on 1",
                declareExchange("", "direct"));
        assertAnswer("DeleteOk[]", new ExchangeMethod.Delete("nosuch", false, false));
        assertAnswer(
                "channel.close 403 ACCESS_REFUSED - deletion of system exchange 'amq.direct' in vhost '/' not allowed"
                        + " (40,20) on 1",
                new ExchangeMethod.Delete("amq.direct", false, false));
        assertAnswer("BindOk[]", new ExchangeMethod.Bind("xe", "xe", "k", false, Map.of()));
        assertAnswer("UnbindOk[]", new ExchangeMethod.Unbind("xe", "amq.topic", "k", false, Map.of()));
    }

    @Test
    void publishes() throws IOException {
        MessagePropertiesBuilder none = MessageProperties.builder();
        assertPublish(
                "channel.close 404 NOT_FOUND - no exchange 'nosuch' in vhost '/' (60,40) on 1",
                none,
                publish("nosuch", "k", false));
        assertPublish("FlowOk[isActive=true]", none, publish("", "nosuch", false));
        assertPublish(
                "Return[replyCode=312, replyText=NO_ROUTE, exchange=, routingKey=nosuch]",
                none,
                publish("", "nosuch", true));
        assertPublish(
                "connection.close 540 NOT_IMPLEMENTED - immediate=true (60,40) on 0",
                none,
                new BasicMethod.Publish("", "eq", false, true));
        assertPublish(
                "channel.close 406 PRECONDITION_FAILED - user_id property set to 'other' but authenticated user was 'guest'"
                        + " (60,40) on 1",
                MessageProperties.builder().text(Property.USER_ID, "other"),
                publish("", "nosuch", false));
        assertPublish(
                "channel.close 406 PRECONDITION_FAILED - invalid message: {delivery_mode_unknown,3} (60,40) on 1",
                MessageProperties.builder().deliveryMode(3),
                publish("", "nosuch", false));
        assertExpiration("abc", "no_integer");
        assertExpiration("", "no_integer");
        assertExpiration("-1", "{value_negative,-1}");
        assertExpiration("1.5", "{leftover_string,\".5\"}");
        assertExpiration("1000 ", "{leftover_string,\" \"}");
        assertExpiration("99999999999999", "{value_too_large,99999999999999}");
        assertPublish(
                "FlowOk[isActive=true]", MessageProperties.builder().expiration("0"), publish("", "nosuch", false));
    }

    private static void assertExpiration(String expiration, String fault) throws IOException {
        assertPublish(
                "channel.close 406 PRECONDITION_FAILED - invalid expiration '" + expiration + "': " + fault
                        + " (60,40) on 1",
                MessageProperties.builder().expiration(expiration),
                publish("", "nosuch", false));
    }

    @Test
    void anUnroutableMandatoryMessageReturnsBeforeItsConfirm() throws IOException {
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            client.send(1, new ConfirmMethod.Select(false)).next();
            client.publish(1, publish("", "nosuch", true), MessageProperties.NONE, "body");
            assertThat(client.next()).startsWith("Return[");
            assertThat(client.next()).isEqualTo("header 4");
            assertThat(client.next()).isEqualTo("body body");
            assertThat(client.next()).isEqualTo("Ack[deliveryTag=1, isMultiple=false]");
        }
    }

    @Test
    void consumersAndSettling() throws IOException {
        assertAnswer(
                "channel.close 404 NOT_FOUND - no queue 'nosuch' in vhost '/' (60,20) on 1",
                consume("nosuch", "t", false));
        assertAnswer(
                "channel.close 404 NOT_FOUND - no previously declared queue (60,20) on 1", consume("", "t", false));
        assertAnswer(
                "connection.close 530 NOT_ALLOWED - attempt to reuse consumer tag 't' (60,20) on 0",
                consume("eq", "t", false),
                consume("eq", "t", false));
        assertAnswer(
                "channel.close 403 ACCESS_REFUSED - queue 'eq' in vhost '/' in exclusive use (60,20) on 1",
                consume("eq", "t", false),
                consume("eq", "u", true));
        assertAnswer("CancelOk[consumerTag=nosuch]", new BasicMethod.Cancel("nosuch", false));
        assertAnswer(
                "channel.close 406 PRECONDITION_FAILED - invalid arg 'x-priority' for queue 'eq' in vhost '/': \"expected"
                        + " integer, got longstr\" (60,20) on 1",
                new BasicMethod.Consume("eq", "t", false, false, false, false, Map.of("x-priority", "high")));
        assertAnswer("GetEmpty[]", new BasicMethod.Get("eq", false));
        assertAnswer(
                "channel.close 406 PRECONDITION_FAILED - unknown delivery tag 99 (60,80) on 1",
                new BasicMethod.Ack(99, false));
        assertAnswer(
                "channel.close 406 PRECONDITION_FAILED - unknown delivery tag 99 (60,120) on 1",
                new BasicMethod.Nack(99, false, true));
        assertAnswer(
                "channel.close 406 PRECONDITION_FAILED - unknown delivery tag 99 (60,90) on 1",
                new BasicMethod.Reject(99, true));
        assertAnswer(
                "connection.close 540 NOT_IMPLEMENTED - prefetch_size!=0 (1) (60,10) on 0",
                new BasicMethod.Qos(1, 0, false));
        assertAnswer("QosOk[]", new BasicMethod.Qos(0, 65_535, true));
        assertAnswer("RecoverOk[]", new BasicMethod.Recover(true));
        assertAnswer(
                "connection.close 540 NOT_IMPLEMENTED - requeue=false (60,110) on 0", new BasicMethod.Recover(false));
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

    @Test
    void confirmsAndTransactionsExcludeEachOther() throws IOException {
        assertAnswer("SelectOk[]", new ConfirmMethod.Select(false), new ConfirmMethod.Select(false));
        assertAnswer(
                "channel.close 406 PRECONDITION_FAILED - cannot switch from confirm to tx mode (90,10) on 1",
                new ConfirmMethod.Select(false),
                new TxMethod.Select());
        assertAnswer(
                "channel.close 406 PRECONDITION_FAILED - cannot switch from tx to confirm mode (85,10) on 1",
                new TxMethod.Select(),
                new ConfirmMethod.Select(false));
        assertAnswer("SelectOk[]", new TxMethod.Select(), new TxMethod.Select());
        assertAnswer("CommitOk[]", new TxMethod.Select(), new TxMethod.Commit());
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            client.send(1, new TxMethod.Select()).next();
            client.publish(1, publish("nosuch", "k", false), MessageProperties.NONE, "x");
            assertThat(client.next())
                    .isEqualTo("channel.close 404 NOT_FOUND - no exchange 'nosuch' in vhost '/' (60,40) on 1");
        }
        assertAnswer(
                "channel.close 406 PRECONDITION_FAILED - unknown delivery tag 9 (60,80) on 1",
                new TxMethod.Select(),
                new BasicMethod.Ack(9, false));
        assertAnswer(
                "channel.close 406 PRECONDITION_FAILED - channel is not transactional (90,20) on 1",
                new TxMethod.Commit());
        assertAnswer(
                "channel.close 406 PRECONDITION_FAILED - channel is not transactional (90,30) on 1",
                new TxMethod.Rollback());
    }

    @Test
    void permissionsAreAskedForEachOperation() throws IOException {
        String queue = "channel.close 403 ACCESS_REFUSED - access to queue 'eq' in vhost '/' refused for user 'ro' ";
        assertAnswerFor("ro", queue + "(50,10) on 1", declareQueue("eq", true));
        assertAnswerFor("ro", "DeclareOk[queue=eq, messageCount=0, consumerCount=0]", passive("eq"));
        assertAnswerFor("ro", queue + "(50,40) on 1", new QueueMethod.Delete("eq", false, false, false));
        assertAnswerFor("ro", queue + "(50,20) on 1", new QueueMethod.Bind("eq", "amq.direct", "k", false, Map.of()));
        assertAnswerFor("ro", "PurgeOk[messageCount=0]", new QueueMethod.Purge("eq", false));
        String exchange =
                "channel.close 403 ACCESS_REFUSED - access to exchange 'xe' in vhost '/' refused for user 'ro' ";
        assertAnswerFor("ro", exchange + "(40,10) on 1", declareExchange("xe", "direct"));
        assertAnswerFor("ro", exchange + "(40,20) on 1", new ExchangeMethod.Delete("xe", false, false));
        try (RawClient client = RawClient.withChannel(broker.port, "ro")) {
            client.publish(1, publish("", "eq", false), MessageProperties.NONE, "x");
            assertThat(client.next())
                    .isEqualTo(
                            "channel.close 403 ACCESS_REFUSED - access to exchange 'amq.default' in vhost '/' refused for"
                                    + " user 'ro' (60,40) on 1");
        }
    }
}
