package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.amqp.wire.ConnectionMethod;
import io.leveret.node.broker.auth.LoginAttempts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
}
