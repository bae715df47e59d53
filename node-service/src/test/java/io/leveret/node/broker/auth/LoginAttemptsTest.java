package io.leveret.node.broker.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class LoginAttemptsTest {
    private final LoginAttempts attempts = new LoginAttempts();
    private final InetAddress here = InetAddress.getLoopbackAddress();

    @Test
    void attemptsAreCountedByProtocolAndBySource() {
        attempts.count(LoginAttempts.AMQP, here, "guest", true);
        attempts.count(LoginAttempts.AMQP, here, "guest", false);
        attempts.count(LoginAttempts.AMQP, here, "other", false);
        attempts.count(LoginAttempts.HTTP, here, "guest", true);

        assertThat(attempts.protocols())
                .containsExactly(
                        new LoginAttempts.Row(null, null, "amqp091", 1, 2),
                        new LoginAttempts.Row(null, null, "http", 1, 0));
        assertThat(attempts.sources())
                .containsExactlyInAnyOrder(
                        new LoginAttempts.Row("127.0.0.1", "guest", "amqp091", 1, 1),
                        new LoginAttempts.Row("127.0.0.1", "other", "amqp091", 0, 1),
                        new LoginAttempts.Row("127.0.0.1", "guest", "http", 1, 0));
        attempts.reset();
        assertThat(attempts.protocols()).isEmpty();
        assertThat(attempts.sources()).isEmpty();
    }

    @Test
    void ofManySourcesTheLastOnesAreRememberedAndNamesAreCut() {
        attempts.count(LoginAttempts.AMQP, here, "first", true);
        for (int i = 0; i < LoginAttempts.SOURCES_MAX; i++) {
            attempts.count(LoginAttempts.AMQP, here, "u" + i + "x".repeat(1_000), false);
        }
        assertThat(attempts.sources())
                .hasSize(LoginAttempts.SOURCES_MAX)
                .noneMatch(row -> "first".equals(row.user()))
                .allMatch(row -> row.user().length() <= 255);
        assertThat(attempts.protocols().get(0).failed()).isEqualTo(LoginAttempts.SOURCES_MAX);
    }
}
