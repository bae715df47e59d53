package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Transactions with the official Java client, through a node that does not lead: takes from one mirrored queue, hands on to
 * another, and commits both at once, whatever happens to the leader.
 */
class TransactionIT {
    private static final int MESSAGES = 200;
    private static Cluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = Cluster.start("transactions", 3);
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
    void whatIsCommittedIsDoneAndWhatIsRolledBackIsNot() throws Exception {
        fill("ha.plain");
        int client = cluster.leader("ha.plain.in") % 3 + 1;
        try (Connection connection = cluster.connect(client)) {
            Channel channel = connection.createChannel();
            channel.txSelect();
            List<Long> tags = handOn(channel, "ha.plain", MESSAGES / 2);
            channel.txRollback();
            for (long tag : tags) {
                channel.basicNack(tag, false, true);
            }
            channel.txCommit();
            handOn(channel, "ha.plain", MESSAGES / 2);
            channel.txCommit();
            handOn(channel, "ha.plain", 7);
        }
        assertHandedOn("ha.plain", MESSAGES / 2);
    }

    @Test
    void aCommitOutlivesTheLeaderThatDelivered() throws Exception {
        fill("ha.before");
        int leader = cluster.leader("ha.before.in");
        try (Connection connection = cluster.connect(leader % 3 + 1)) {
            Channel channel = connection.createChannel();
            channel.txSelect();
            handOn(channel, "ha.before", MESSAGES / 2);
            cluster.kill(leader);
            channel.txCommit();
        }
        assertHandedOn("ha.before", MESSAGES / 2);
        cluster.restart(leader);
        cluster.awaitInSync("ha.before.in", 2);
        assertHandedOn("ha.before", MESSAGES / 2);
    }

    @Test
    void aLeaderMayDieInTheMiddleOfACommit() throws Exception {
        fill("ha.during");
        int leader = cluster.leader("ha.during.in");
        try (Connection connection = cluster.connect(leader % 3 + 1)) {
            Channel channel = connection.createChannel();
            channel.txSelect();
            for (int round = 0; round < 2; round++) {
                handOn(channel, "ha.during", MESSAGES / 4);
                CompletableFuture<Void> committed = CompletableFuture.runAsync(() -> commit(channel));
                if (round == 1) {
                    cluster.kill(leader);
                }
                committed.get(90, TimeUnit.SECONDS);
            }
        }
        assertHandedOn("ha.during", MESSAGES / 2);
        cluster.restart(leader);
        cluster.awaitInSync("ha.during.in", 2);
        assertHandedOn("ha.during", MESSAGES / 2);
    }

    private static void commit(Channel channel) {
        try {
            channel.txCommit();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void fill(String name) throws Exception {
        try (Connection connection = cluster.connect(1)) {
            Channel channel = connection.createChannel();
            channel.queueDeclare(name + ".in", true, false, false, Map.of());
            channel.queueDeclare(name + ".out", true, false, false, Map.of());
            channel.txSelect();
            for (int i = 0; i < MESSAGES; i++) {
                channel.basicPublish(
                        "",
                        name + ".in",
                        MessageProperties.MINIMAL_PERSISTENT_BASIC,
                        String.valueOf(i).getBytes());
            }
            channel.txCommit();
        }
        cluster.awaitInSync(name + ".in", 2);
        cluster.awaitInSync(name + ".out", 2);
    }

    /** Takes messages, publishes them to the other queue and acks them. */
    private static List<Long> handOn(Channel channel, String name, int count) throws Exception {
        List<Long> tags = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            GetResponse got = channel.basicGet(name + ".in", false);
            assertThat(got).isNotNull();
            channel.basicPublish("", name + ".out", MessageProperties.MINIMAL_PERSISTENT_BASIC, got.getBody());
            channel.basicAck(got.getEnvelope().getDeliveryTag(), false);
            tags.add(got.getEnvelope().getDeliveryTag());
        }
        return tags;
    }

    /** The first so many are in one queue, the others in the other, each once and in order. */
    private static void assertHandedOn(String name, int count) throws Exception {
        try (Connection connection = cluster.connect(running())) {
            Channel channel = connection.createChannel();
            // What a channel held that was closed, or a leader that died, is back a little later.
            Awaitility.await().untilAsserted(() -> {
                assertThat(channel.messageCount(name + ".out")).isEqualTo(count);
                assertThat(channel.messageCount(name + ".in")).isEqualTo(MESSAGES - count);
            });
            List<Integer> in = look(channel, name + ".in");
            List<Integer> out = look(channel, name + ".out");
            assertThat(out).hasSize(count).isSorted().startsWith(0).endsWith(count - 1);
            assertThat(in)
                    .hasSize(MESSAGES - count)
                    .isSorted()
                    .startsWith(count)
                    .endsWith(MESSAGES - 1);
        }
    }

    private static int running() {
        return IntStream.rangeClosed(1, 3)
                .filter(cluster::isRunning)
                .findFirst()
                .orElseThrow();
    }

    /** What is in a queue, which it leaves as it is. */
    private static List<Integer> look(Channel channel, String queue) throws Exception {
        List<Integer> order = new ArrayList<>();
        long last = 0;
        for (GetResponse each = channel.basicGet(queue, false); each != null; each = channel.basicGet(queue, false)) {
            order.add(Integer.parseInt(new String(each.getBody())));
            last = each.getEnvelope().getDeliveryTag();
        }
        if (last != 0) {
            channel.basicNack(last, true, true);
        }
        return order;
    }
}
