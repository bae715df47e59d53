package io.leveret.node.amqp.server;

import static io.leveret.node.broker.message.MessageProperties.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.PermissionDefinition;
import io.leveret.model.definition.TopicPermissionDefinition;
import io.leveret.node.amqp.wire.BasicMethod;
import io.leveret.node.amqp.wire.ChannelMethod;
import io.leveret.node.amqp.wire.ConnectionMethod;
import io.leveret.node.amqp.wire.ExchangeMethod;
import io.leveret.node.amqp.wire.Method;
import io.leveret.node.amqp.wire.QueueMethod;
import io.leveret.node.broker.auth.LoginAttempts;
import io.leveret.node.broker.auth.LoginThrottle;
import io.leveret.node.broker.definitions.DefinitionChange;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Logging in, and what comes of it, on the wire. */
@Timeout(60)
class LoginProtocolTest {
    private static final byte[] HEADER = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};

    private final MemoryBroker broker = new MemoryBroker();

    @AfterEach
    void stop() {
        broker.close();
    }

    private RawClient greeted() throws IOException {
        RawClient client = new RawClient(broker.port).raw(HEADER);
        client.next();
        return client;
    }

    @Test
    void aSecretIsUpdatedWhateverItIsForPasswordsDoNotExpire() throws IOException {
        try (RawClient client = RawClient.open(broker.port)) {
            for (String secret : List.of("guest", "another", "")) {
                client.send(0, new ConnectionMethod.UpdateSecret(secret.getBytes(StandardCharsets.UTF_8), "a reason"));
                assertThat(client.next()).isEqualTo("UpdateSecretOk[]");
            }
        }
    }

    @Test
    void attemptsAreCounted() throws IOException {
        RawClient.open(broker.port).close();
        try (RawClient wrong = greeted();
                RawClient malformed = greeted()) {
            wrong.startOk("PLAIN", "\0guest\0wrong", true);
            assertThat(wrong.next()).startsWith("connection.close 403");
            malformed.startOk("PLAIN", "nonsense", true);
            assertThat(malformed.next()).isEqualTo("end");
        }
        assertThat(broker.authenticator.attempts().protocols())
                .containsExactly(new LoginAttempts.Row(null, null, "amqp091", 1, 2));
        assertThat(broker.authenticator.attempts().sources())
                .containsExactlyInAnyOrder(
                        new LoginAttempts.Row("127.0.0.1", "guest", "amqp091", 1, 1),
                        new LoginAttempts.Row("127.0.0.1", "", "amqp091", 0, 1));
    }

    private void permit(String user, String exchange, String write, String read) {
        broker.definitions.agree(new DefinitionChange.PutTopicPermission(
                new TopicPermissionDefinition(new UserName(user), new VhostName("/"), exchange, write, read)));
    }

    private static String refused(String key, String at) {
        return "channel.close 403 ACCESS_REFUSED - access to topic '" + key
                + "' in exchange 'amq.topic' in vhost '/' refused for user 'guest' (" + at + ") on 1";
    }

    @Test
    void topicPermissionsAreAboutTheKeysOfTopicExchanges() throws IOException {
        permit("guest", "amq.topic", "^to\\.{username}", "^from\\.");
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            client.send(1, new QueueMethod.Declare("q", false, false, false, false, false, Map.of()));
            client.next();
            client.publish(1, new BasicMethod.Publish("amq.topic", "to.guest.x", false, false), NONE, "x");
            client.publish(1, new BasicMethod.Publish("amq.direct", "anything", false, false), NONE, "x");
            client.send(1, new QueueMethod.Bind("q", "amq.topic", "from.#", false, Map.of()));
            assertThat(client.next()).isEqualTo("BindOk[]");
            client.publish(1, new BasicMethod.Publish("amq.topic", "to.other", false, false), NONE, "x");
            assertThat(client.next()).isEqualTo(refused("to.other", "60,40"));
        }
        for (Method binding : List.of(
                new QueueMethod.Bind("q", "amq.topic", "to.guest", false, Map.of()),
                new QueueMethod.Unbind("q", "amq.topic", "to.guest", Map.of()),
                new ExchangeMethod.Bind("amq.fanout", "amq.topic", "to.guest", false, Map.of()))) {
            try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
                assertThat(client.send(1, binding).next())
                        .isEqualTo(refused("to.guest", binding.classId() + "," + binding.methodId()));
            }
        }
    }

    @Test
    void aPermissionThatIsTakenAwayIsMissedByTheNextOperation() throws IOException {
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            client.send(1, new QueueMethod.Declare("q", false, false, false, false, false, Map.of()));
            client.next();
            client.publish(1, new BasicMethod.Publish("amq.topic", "k", false, false), NONE, "x");
            client.send(1, new ChannelMethod.Flow(true));
            assertThat(client.next()).startsWith("FlowOk");
            permit("guest", "amq.topic", "^never$", "");
            client.publish(1, new BasicMethod.Publish("amq.topic", "k", false, false), NONE, "x");
            assertThat(client.next()).isEqualTo(refused("k", "60,40"));
        }
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            client.publish(1, new BasicMethod.Publish("", "q", false, false), NONE, "x");
            client.send(1, new ChannelMethod.Flow(true));
            assertThat(client.next()).startsWith("FlowOk");
            broker.definitions.agree(new DefinitionChange.PutPermission(
                    new PermissionDefinition(new UserName("guest"), new VhostName("/"), "", "", "")));
            client.publish(1, new BasicMethod.Publish("", "q", false, false), NONE, "x");
            assertThat(client.next())
                    .isEqualTo(
                            "channel.close 403 ACCESS_REFUSED - access to exchange 'amq.default' in vhost '/' refused"
                                    + " for user 'guest' (60,40) on 1");
        }
    }

    @Test
    void failuresBeyondTheFreeOnesAreAnsweredLate() throws IOException {
        for (int i = 0; i < LoginThrottle.FREE_FAILURES; i++) {
            broker.server.connections().throttle().failed(InetAddress.getLoopbackAddress(), System.nanoTime());
        }
        long start = System.nanoTime();
        try (RawClient wrong = greeted()) {
            wrong.startOk("PLAIN", "\0guest\0wrong", true);
            assertThat(wrong.next()).startsWith("connection.close 403");
        }
        assertThat(System.nanoTime() - start).isGreaterThan(LoginThrottle.STEP_NANOS / 2);
        RawClient.open(broker.port).close(); // who is right never waits
        Awaitility.await().until(() -> broker.server.connections().throttle().held() == 0);
    }
}
