package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** One policy through each of its doors, and what it does to queues that exist. */
class PolicyIT {
    private static Cluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = Cluster.start("policy", 3);
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @Test
    void theCommandLineMirrorsAQueueThatExistsAndHasMessages() throws Exception {
        try (Connection connection = cluster.connect(1)) {
            Channel channel = connection.createChannel();
            channel.queueDeclare("cli.q", true, false, false, Map.of());
            channel.confirmSelect();
            for (int i = 0; i < 500; i++) {
                channel.basicPublish("", "cli.q", null, new byte[100]);
            }
            channel.waitForConfirmsOrDie(60_000);
        }
        Cluster.Output set = cluster.ctl(
                2,
                "set_policy",
                "--apply-to",
                "queues",
                "cli",
                "^cli\\.",
                "{\"ha-mode\":\"all\",\"ha-sync-mode\":\"automatic\"}");
        assertThat(set.code()).as(set.err()).isZero();
        cluster.awaitInSync("cli.q", 2);
        Cluster.Output list = cluster.ctl(3, "list_policies");
        assertThat(list.out()).contains("cli").contains("^cli\\.");
        // A node that is too busy to report in time is left out of the answer.
        Awaitility.await().untilAsserted(() -> {
            Cluster.Output queues =
                    cluster.ctl(3, "list_queues", "name", "messages", "slave_pids", "synchronised_slave_pids");
            assertThat(queues.out())
                    .containsPattern("cli\\.q\t500\t\\[.*rabbit2@localhost.*\\]\t\\[.*rabbit2@localhost.*\\]");
        });

        assertThat(cluster.ctl(1, "clear_policy", "cli").code()).isZero();
        Awaitility.await().untilAsserted(() -> {
            JsonNode seen = cluster.get("/api/queues/%2F/cli.q");
            assertThat(seen.path("slave_nodes").size()).isZero();
            assertThat(seen.path("messages").asInt()).isEqualTo(500);
        });
    }

    @Test
    void aPolicyOfNodesMovesTheLeaderOnlyToAMirrorInSync() throws Exception {
        try (Connection connection = cluster.connect(1)) {
            Channel channel = connection.createChannel();
            channel.queueDeclare("move.q", true, false, false, Map.of());
            channel.confirmSelect();
            for (int i = 0; i < 500; i++) {
                channel.basicPublish("", "move.q", null, new byte[100]);
            }
            channel.waitForConfirmsOrDie(60_000);
        }
        cluster.policy(
                "move",
                "^move\\\\.",
                "{\"ha-mode\":\"nodes\",\"ha-params\":[\"rabbit2@localhost\",\"rabbit3@localhost\"]}");
        // Manual synchronisation: the mirrors have nothing, so that the leader stays where it is.
        Awaitility.await().untilAsserted(() -> {
            JsonNode seen = cluster.get("/api/queues/%2F/move.q");
            assertThat(seen.path("slave_nodes").size()).isEqualTo(2);
            assertThat(seen.path("synchronised_slave_nodes").size()).isZero();
            assertThat(seen.path("node").asString()).isEqualTo("rabbit1@localhost");
        });
        assertThat(cluster.api("POST", "/api/queues/%2F/move.q/actions", "{\"action\":\"sync\"}")
                        .status())
                .isEqualTo(204);
        Awaitility.await().untilAsserted(() -> {
            JsonNode seen = cluster.get("/api/queues/%2F/move.q");
            assertThat(seen.path("node").asString()).isIn("rabbit2@localhost", "rabbit3@localhost");
            assertThat(seen.path("synchronised_slave_nodes").size()).isEqualTo(1);
            assertThat(seen.path("slave_nodes").size()).isEqualTo(1);
            assertThat(seen.path("messages").asInt()).isEqualTo(500);
        });
    }

    @Test
    void aWrongPolicyIsRefusedWithTheSameSentenceEverywhere() throws Exception {
        Cluster.Answer rest = cluster.api(
                "PUT", "/api/policies/%2F/wrong", "{\"pattern\":\".*\",\"definition\":{\"ha-mode\":\"some\"}}");
        assertThat(rest.status()).isEqualTo(400);
        assertThat(rest.json().path("error").asString()).isEqualTo("bad_request");
        Cluster.Output cli = cluster.ctl(1, "set_policy", "wrong", ".*", "{\"ha-mode\":\"some\"}");
        assertThat(cli.code()).isNotZero();
        assertThat(cli.err() + cli.out()).contains("some");
        assertThat(cluster.api("GET", "/api/policies/%2F/wrong", "").status()).isEqualTo(404);
    }
}
