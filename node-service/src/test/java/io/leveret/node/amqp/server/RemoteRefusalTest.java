package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same conversations through a node that leads no queue but the exclusive ones: no word is different. */
@Timeout(60)
class RemoteRefusalTest {
    @TempDir
    private static Path folder;

    private static ClusterBroker cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = new ClusterBroker(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        await().untilAsserted(() -> {
            ConnectionRegistry.Churn churn = cluster.other.server.connections().churn();
            assertThat(churn.connectionsClosed()).isEqualTo(churn.connectionsOpened());
            assertThat(churn.channelsClosed()).isEqualTo(churn.channelsOpened());
        });
        cluster.close();
    }

    static Stream<Transcript.Scenario> scenarios() {
        return Transcript.readAll("queues", "exchanges", "publishes", "consumers", "modes", "permissions", "messages");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scenarios")
    void isAnswered(Transcript.Scenario scenario) throws IOException {
        scenario.play(cluster.other.port);
    }
}
