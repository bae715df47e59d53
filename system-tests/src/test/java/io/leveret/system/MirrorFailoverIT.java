package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The main job with the official Java client: what was confirmed outlives the node that led the queue. */
class MirrorFailoverIT {
    private static final int MESSAGES = 5_000;
    private static Cluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = Cluster.start("failover", 3);
        cluster.policy("ha", "^ha\\\\.", "{\"ha-mode\":\"all\",\"ha-sync-mode\":\"automatic\"}");
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
    void everyConfirmedMessageOutlivesTheLeadersNodeInItsOrder() throws Exception {
        publish(1, "ha.job", 0, MESSAGES);
        cluster.awaitInSync("ha.job", 2);
        int leader = cluster.leader("ha.job");
        cluster.kill(leader);

        publish(leader % 3 + 1, "ha.job", MESSAGES, 2 * MESSAGES);

        List<Integer> order = drain((leader + 1) % 3 + 1, "ha.job");
        assertThat(order).hasSize(2 * MESSAGES).isSorted();
        cluster.restart(leader);
        cluster.awaitInSync("ha.job", 2);
    }

    @Test
    void aRestartOfAllNodesKeepsPersistentMessages() throws Exception {
        publish(1, "ha.restart", 0, 1_000);
        cluster.awaitInSync("ha.restart", 2);
        for (int node = 1; node <= 3; node++) {
            cluster.kill(node);
        }
        for (int node = 3; node >= 1; node--) {
            cluster.launch(node);
        }
        for (int node = 1; node <= 3; node++) {
            cluster.awaitUsable(node);
        }
        cluster.awaitInSync("ha.restart", 2);

        assertThat(drain(2, "ha.restart")).hasSize(1_000).isSorted();
    }

    private static void publish(int node, String queue, int from, int to) throws Exception {
        try (Connection connection = cluster.connect(node)) {
            Channel channel = connection.createChannel();
            channel.queueDeclare(queue, true, false, false, Map.of());
            channel.confirmSelect();
            AMQP.BasicProperties persistent = MessageProperties.MINIMAL_PERSISTENT_BASIC;
            for (int i = from; i < to; i++) {
                channel.basicPublish("", queue, persistent, String.valueOf(i).getBytes());
            }
            channel.waitForConfirmsOrDie(60_000);
        }
    }

    /** Takes all messages; a message seen before must be marked redelivered. First deliveries, in their order. */
    private static List<Integer> drain(int node, String queue) throws Exception {
        List<Integer> order = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        try (Connection connection = cluster.connect(node)) {
            Channel channel = connection.createChannel();
            for (GetResponse each = channel.basicGet(queue, false);
                    each != null;
                    each = channel.basicGet(queue, false)) {
                int number = Integer.parseInt(new String(each.getBody()));
                if (seen.add(number)) {
                    order.add(number);
                } else {
                    assertThat(each.getEnvelope().isRedeliver()).isTrue();
                }
                channel.basicAck(each.getEnvelope().getDeliveryTag(), false);
            }
        }
        return order;
    }
}
