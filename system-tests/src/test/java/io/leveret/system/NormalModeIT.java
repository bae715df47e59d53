package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Queues without a policy: one home, every operation through every node. */
@TestMethodOrder(MethodOrderer.MethodName.class)
class NormalModeIT {
    private static Cluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = Cluster.start("normal", 3);
    }

    @AfterEach
    void wholeAgain() throws Exception {
        cluster.startTheDead();
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @Test
    void aQueueLivesWhereItsDeclarerIsConnectedAndEveryNodeUsesItAtOnce() throws Exception {
        try (Connection one = cluster.connect(1);
                Connection two = cluster.connect(2);
                Connection three = cluster.connect(3)) {
            Channel at1 = one.createChannel();
            Channel at2 = two.createChannel();
            Channel at3 = three.createChannel();
            at2.confirmSelect();
            for (int i = 0; i < 20; i++) {
                String queue = "normal." + i;
                at1.queueDeclare(queue, true, false, false, Map.of());
                at2.queueBind(queue, "amq.direct", "to-" + i);
                at2.basicPublish("amq.direct", "to-" + i, MessageProperties.PERSISTENT_TEXT_PLAIN, new byte[] {1});
                at2.waitForConfirmsOrDie(60_000);
                assertThat(at3.queueDeclarePassive(queue).getMessageCount()).isEqualTo(1);
                GetResponse got = at3.basicGet(queue, true);
                assertThat(got.getBody()).containsExactly(1);
            }
            assertThat(cluster.leader("normal.0")).isEqualTo(1);
            assertThat(at3.queuePurge("normal.0")).isNotNull();
            at3.queueDelete("normal.0");
            assertThatThrownBy(() -> at1.queueDeclarePassive("normal.0")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void anExclusiveQueueGoesWithItsConnection() throws Exception {
        Connection owner = cluster.connect(1);
        String queue = owner.createChannel().queueDeclare().getQueue();
        assertThat(queue).startsWith("amq.gen-");
        try (Connection other = cluster.connect(2)) {
            assertThatThrownBy(() -> other.createChannel().queueDeclarePassive(queue))
                    .hasStackTraceContaining("RESOURCE_LOCKED");
        }
        owner.close();
        Awaitility.await()
                .untilAsserted(() -> assertThat(cluster.api("GET", "/api/queues/%2F/" + queue, "")
                                .status())
                        .isEqualTo(404));
    }

    @Test
    void whenTheHomeNodeIsDownPublishesAreNackedAndTheRestSaysSo() throws Exception {
        try (Connection home = cluster.connect(3)) {
            home.createChannel().queueDeclare("home", true, false, false, Map.of());
        }
        try (Connection other = cluster.connect(2)) {
            Channel channel = other.createChannel();
            channel.confirmSelect();
            BlockingQueue<String> verdicts = new LinkedBlockingQueue<>();
            channel.addConfirmListener((tag, multiple) -> verdicts.add("ack"), (tag, multiple) -> verdicts.add("nack"));
            channel.basicPublish("", "home", MessageProperties.MINIMAL_PERSISTENT_BASIC, new byte[] {1});
            assertThat(verdicts.poll(60, TimeUnit.SECONDS)).isEqualTo("ack");

            cluster.kill(3);
            Awaitility.await().untilAsserted(() -> {
                channel.basicPublish("", "home", MessageProperties.MINIMAL_PERSISTENT_BASIC, new byte[] {2});
                assertThat(verdicts.poll(30, TimeUnit.SECONDS)).isEqualTo("nack");
            });
            assertThatThrownBy(() -> channel.queueDeclarePassive("home"))
                    .hasStackTraceContaining(
                            "NOT_FOUND - home node 'rabbit3@localhost' of durable queue 'home' in vhost"
                                    + " '/' is down or inaccessible");
        }
        cluster.restart(3);
        try (Connection again = cluster.connect(1)) {
            Channel channel = again.createChannel();
            AMQP.Queue.DeclareOk found = Awaitility.await()
                    .ignoreExceptionsInstanceOf(ShutdownSignalException.class)
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> again.createChannel().queueDeclarePassive("home"), ok -> true);
            assertThat(found.getMessageCount()).isEqualTo(1);
            assertThat(channel.basicGet("home", true).getBody()).containsExactly(1);
        }
    }
}
