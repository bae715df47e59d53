package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every refusal that clients know: code, text, class and method, and whether it ends the channel or the connection. Texts are a
 * contract: clients, and people's scripts, read them. And nothing is left of any of them.
 */
@Timeout(60)
class RefusalTest {
    static final String[] FILES = {
        "connections", "queues", "arguments", "exchanges", "publishes", "consumers", "modes", "permissions", "messages"
    };

    private static MemoryBroker broker;

    @BeforeAll
    static void start() {
        broker = new MemoryBroker();
    }

    @AfterAll
    static void stop() {
        await().untilAsserted(() -> {
            ConnectionRegistry.Churn churn = broker.server.connections().churn();
            assertThat(churn.connectionsClosed()).isEqualTo(churn.connectionsOpened());
            assertThat(churn.channelsClosed()).isEqualTo(churn.channelsOpened());
        });
        broker.close();
    }

    static Stream<Transcript.Scenario> scenarios() {
        return Transcript.readAll(FILES);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scenarios")
    void isAnswered(Transcript.Scenario scenario) throws IOException {
        scenario.play(broker.port);
    }
}
