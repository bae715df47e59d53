package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** connection.close stands behind everything that the client has said before it. */
@Timeout(60)
class ConnectionCloseTest {
    private static final String CLOSE = "connection.close 200 bye";

    private static void awaitLeaving(MemoryBroker broker) {
        await().untilAsserted(() -> assertThat(broker.server
                        .connections()
                        .connections()
                        .toCompletableFuture()
                        .join())
                .singleElement()
                .satisfies(each -> assertThat(each.state()).isEqualTo("closing")));
    }

    @Test
    void whatWasSaidBeforeIsDone() throws IOException {
        try (MemoryBroker broker = new MemoryBroker();
                RawClient client = RawClient.withChannel(broker.port, "guest")) {
            broker.definitions.setSlow(true);
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            said.writeBytes(Commands.bytes(1, "queue.declare late noWait"));
            for (int i = 0; i < 3; i++) {
                said.writeBytes(Commands.bytes(1, "publish \"\" late"));
            }
            said.writeBytes(Commands.bytes(0, CLOSE));
            client.raw(said.toByteArray());
            awaitLeaving(broker);
            broker.definitions.setSlow(false);
            assertThat(client.next()).isEqualTo("CloseOk[]");
            await().untilAsserted(() -> assertThat(broker.queue("late")
                            .counts()
                            .toCompletableFuture()
                            .join()
                            .ready())
                    .isEqualTo(3));
        }
    }

    @Test
    void exclusiveQueuesAreGoneBeforeTheClientIsToldSo() throws IOException {
        try (MemoryBroker broker = new MemoryBroker();
                RawClient client = RawClient.withChannel(broker.port, "guest")) {
            Commands.send(client, 1, "queue.declare mine exclusive");
            assertThat(client.next()).startsWith("DeclareOk");
            broker.definitions.setSlow(true);
            Commands.send(client, 0, CLOSE);
            awaitLeaving(broker);
            broker.definitions.setSlow(false);
            assertThat(client.next()).isEqualTo("CloseOk[]");
            assertThat(broker.queue("mine")).isNull();
        }
    }

    @Test
    void aRefusalMeanwhileHoldsUpNobody() throws IOException {
        try (MemoryBroker broker = new MemoryBroker();
                RawClient client = RawClient.withChannel(broker.port, "guest")) {
            broker.definitions.setSlow(true);
            ByteArrayOutputStream said = new ByteArrayOutputStream();
            said.writeBytes(Commands.bytes(1, "queue.declare q noWait"));
            said.writeBytes(Commands.bytes(1, "publish nosuch q"));
            said.writeBytes(Commands.bytes(0, CLOSE));
            client.raw(said.toByteArray());
            awaitLeaving(broker);
            broker.definitions.setSlow(false);
            assertThat(client.next()).isEqualTo("CloseOk[]");
        }
    }

    @Test
    void withoutAnAnswerOfTheClusterTheClientIsLetGoAllTheSame() throws IOException {
        try (MemoryBroker broker = new MemoryBroker();
                RawClient client = RawClient.withChannel(broker.port, "guest")) {
            Commands.send(client, 1, "queue.declare mine exclusive");
            assertThat(client.next()).startsWith("DeclareOk");
            broker.definitions.setUnavailable(true);
            Commands.send(client, 0, CLOSE);
            assertThat(client.next()).isEqualTo("CloseOk[]");
            broker.definitions.setUnavailable(false);
            await().untilAsserted(() -> assertThat(broker.queue("mine")).isNull());
        }
    }
}
