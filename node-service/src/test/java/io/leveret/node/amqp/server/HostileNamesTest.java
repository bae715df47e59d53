package io.leveret.node.amqp.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a client can put into tables has no bounds of its own. Whatever it is, it is the business of that client alone. */
@Timeout(60)
class HostileNamesTest {
    private static final String ENDLESS = "k".repeat(300);

    private static MemoryBroker broker;

    @BeforeAll
    static void start() {
        broker = new MemoryBroker();
    }

    @AfterAll
    static void stop() {
        broker.close(); // no loop has seen a fault
    }

    private static String answer(String command) throws IOException {
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            Commands.send(client, 1, command);
            Commands.send(client, 1, "channel.flow active");
            return client.next();
        }
    }

    @Test
    void copiesToNamesThatNoQueueCanHaveGoNowhere() throws IOException {
        assertThat(answer("publish \"\" nosuch {\"headers\": {\"CC\": [\"" + ENDLESS + "\"], \"BCC\": [\"" + ENDLESS
                        + "\"]}}"))
                .isEqualTo("FlowOk[isActive=true]");
    }

    @Test
    void exchangesAndKeysOfArgumentsFitIntoAFrame() throws IOException {
        assertThat(answer("exchange.declare ax fanout {\"alternate-exchange\": \"" + ENDLESS + "\"}"))
                .contains("406", "exchange name is longer than 255 bytes");
        assertThat(answer("queue.declare dx {\"x-dead-letter-exchange\": \"" + ENDLESS + "\"}"))
                .contains("406", "exchange name is longer than 255 bytes");
        assertThat(answer("queue.declare dk {\"x-dead-letter-exchange\": \"\", \"x-dead-letter-routing-key\": \""
                        + ENDLESS + "\"}"))
                .contains("406", "invalid arg 'x-dead-letter-routing-key' for queue 'dk'", "{value_too_long,300}");
    }

    @Test
    void argumentsMayBeNestedAsDeepAsATableMay() throws IOException {
        String nested = "{\"a\": ".repeat(60) + "1" + "}".repeat(60);
        try (RawClient client = RawClient.withChannel(broker.port, "guest")) {
            Commands.send(client, 1, "queue.declare nested autoDelete");
            assertThat(client.next()).startsWith("DeclareOk");
            for (int i = 0; i < 2; i++) {
                Commands.send(client, 1, "queue.bind nested amq.fanout k " + nested);
                assertThat(client.next()).isEqualTo("BindOk[]");
            }
        }
    }

    @Test
    void headersThatCannotBeReadAreRefusedAtOnce() throws IOException {
        // basic.publish to the default exchange, and a header whose table has a field of type Z.
        assertThat(answer("raw 01 0001 0000000c 003c0028 0000 00 03 6e6f70 00 ce"
                        + " 02 0001 00000016 003c 0000 0000000000000000 2000 00000004 01615a00 ce"))
                .contains("502", "unknown field type 90");
    }
}
