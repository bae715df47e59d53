package io.leveret.admin.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.admin.FakeNode;
import io.leveret.admin.Samples;
import io.leveret.model.view.NamedView;
import io.leveret.model.view.QueueView;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NodeClientTest {
    /** What is gone refuses at once: only a machine that is slow is waited for. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final ControlPath NAME = ControlPath.of("cluster-name");

    private final FakeNode first = new FakeNode();
    private final FakeNode second = new FakeNode();

    @AfterEach
    void close() {
        first.close();
        second.close();
    }

    @Test
    void asksTheNextNodeWhenOneIsGoneAndStaysThere() {
        first.shows("/cluster-name", new NamedView("one"));
        second.shows("/cluster-name", new NamedView("two"));
        NodeClient client = client(FakeNode.SECRET, first.address(), second.address());
        assertThat(client.get(NAME, NamedView.class).name()).isEqualTo("one");
        first.close();
        assertThat(client.get(NAME, NamedView.class).name()).isEqualTo("two");
        assertThat(client.get(NAME, NamedView.class).name()).isEqualTo("two");
    }

    @Test
    void aNodeThatIsPausedIsPassedOverEvenForAChange() {
        first.on("PUT /cluster-name", request -> FakeNode.refused(503, "unavailable", "no majority"));
        second.on("PUT /cluster-name", request -> FakeNode.empty(204));
        CommandAnswer answer =
                client(FakeNode.SECRET, first.address(), second.address()).apply(rename());
        assertThat(answer.status()).isEqualTo(204);
        assertThat(second.changes()).hasSize(1);
    }

    @Test
    void aChangeWithoutAnAnswerIsNotSentAgain() {
        first.on("PUT /cluster-name", request -> {
            throw new IOException("cut");
        });
        second.on("PUT /cluster-name", request -> FakeNode.empty(204));
        NodeClient client = client(FakeNode.SECRET, first.address(), second.address());
        assertThatThrownBy(() -> client.apply(rename())).isInstanceOf(UnknownOutcomeException.class);
        assertThat(first.changes()).hasSize(1);
        assertThat(second.changes()).isEmpty();
    }

    @Test
    void anUnknownOutcomeOfTheClusterIsSaidAsSuch() {
        first.on("PUT /cluster-name", request -> FakeNode.refused(504, "unknown_outcome", "not agreed in time"));
        NodeClient client = client(FakeNode.SECRET, first.address(), second.address());
        assertThatThrownBy(() -> client.apply(rename()))
                .isInstanceOf(UnknownOutcomeException.class)
                .hasMessageContaining("not agreed in time");
        assertThat(second.changes()).isEmpty();
    }

    @Test
    void aQuestionWithoutAnAnswerGoesToTheNextNode() {
        first.on("GET /cluster-name", request -> {
            throw new IOException("cut");
        });
        second.shows("/cluster-name", new NamedView("two"));
        NodeClient client = client(FakeNode.SECRET, first.address(), second.address());
        assertThat(client.get(NAME, NamedView.class).name()).isEqualTo("two");
    }

    @Test
    void whenNoNodeAnswersEachIsNamed() throws IOException {
        // Nobody listens there, and nobody else can.
        try (Socket closed = new Socket()) {
            closed.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String address = "127.0.0.1:" + closed.getLocalPort();
            NodeClient client = client(FakeNode.SECRET, address);
            assertThatThrownBy(() -> client.get(NAME, NamedView.class))
                    .isInstanceOf(BrokerUnavailableException.class)
                    .hasMessageContaining(address + " cannot be reached");
        }
    }

    @Test
    void anotherSecretIsNotTakenForAWrongPassword() {
        NodeClient client = client("another", first.address());
        assertThatThrownBy(() -> client.get(NAME, NamedView.class))
                .isInstanceOf(BrokerUnavailableException.class)
                .hasMessageContaining("does not accept this secret");
    }

    @Test
    void aRefusalKeepsItsStatusAndReason() {
        first.on("PUT /cluster-name", request -> FakeNode.refused(400, "bad_request", "no"));
        NodeClient client = client(FakeNode.SECRET, first.address());
        assertThatThrownBy(() -> client.apply(rename()))
                .isInstanceOfSatisfying(BrokerRefusedException.class, refused -> {
                    assertThat(refused.status()).isEqualTo(400);
                    assertThat(refused.error().reason()).isEqualTo("no");
                });
    }

    @Test
    void aViewComesBackAsItWasSent() {
        first.shows("/queues", Samples.queues());
        List<QueueView> queues =
                client(FakeNode.SECRET, first.address()).list(ControlPath.of("queues"), QueueView.class);
        assertThat(queues).isEqualTo(Samples.queues());
    }

    private static Mutation rename() {
        return Mutation.put("cluster name", "", "x", NAME, new NamedView("x"));
    }

    private static NodeClient client(String secret, String... nodes) {
        ClusterSettings settings = new ClusterSettings(List.of(nodes), secret, "", PATIENCE, PATIENCE, PATIENCE);
        Caller nobody = new Caller() {
            @Override
            public String name() {
                return "";
            }

            @Override
            public String via() {
                return "page";
            }
        };
        return new NodeClient(settings, nobody, ClusterConfiguration.mapper(), Clock.systemUTC());
    }
}
