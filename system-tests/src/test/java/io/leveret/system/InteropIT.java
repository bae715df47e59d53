package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Clients that people use, unchanged, on one cluster. Each talks to a node that does not lead its mirrored queue and declares
 * another that this node leads; it publishes to both with confirms, provokes refusals and goes on, and loses the node to
 * {@code kill -9}. On another node it finds everything that was confirmed.
 */
class InteropIT {
    private static final Path CLIENTS = Path.of("src/test/clients");
    private static final String PYTHON = "/usr/bin/python3";
    /** Less than a client publishes before the kill and after it. */
    private static final int CONFIRMED = 150;

    private static Cluster cluster;
    private static int turn;

    @BeforeAll
    static void start() throws Exception {
        cluster = Cluster.start("interop", 3);
        cluster.policy("ha", "^ha\\\\.", "{\"ha-mode\":\"all\",\"ha-sync-mode\":\"automatic\"}");
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    private static Exchange exchange(String name) throws Exception {
        return Exchange.over(cluster, name, turn++ % 3 + 1);
    }

    private static String client(String script) {
        return CLIENTS.resolve(script).toString();
    }

    /** A client that is not installed skips its test; where all are required it fails it. */
    private static void needs(String what, String... probe) throws Exception {
        boolean isThere = Files.isExecutable(Path.of(probe[0]))
                && new ProcessBuilder(probe)
                                .redirectErrorStream(true)
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .start()
                                .onExit()
                                .get(60, TimeUnit.SECONDS)
                                .exitValue()
                        == 0;
        String why = what + " is not installed";
        if (Boolean.parseBoolean(System.getenv("LEVERET_TESTS_REQUIRE_ALL"))) {
            assertThat(isThere).as(why).isTrue();
        }
        assumeTrue(isThere, why);
    }

    @Test
    void theOfficialJavaClient() throws Exception {
        Exchange exchange = exchange("java");
        exchange.runs(new JavaClientJob())
                .wasAnswered("returned 312", "refused 406", "refused 404", "answered PING")
                .missedNothing(CONFIRMED, exchange.shared(), exchange.own());
    }

    @Test
    void theOfficialJavaClientThroughABalancer() throws Exception {
        needs("haproxy", Balancer.PROGRAM, "-v");
        Exchange exchange = exchange("balanced");
        try (Balancer balancer = Balancer.before(cluster, CLIENTS.resolve("haproxy/haproxy.cfg"))) {
            reachesEachNode(balancer);
            exchange.through(balancer.port())
                    .runs(new JavaClientJob())
                    .missedNothing(CONFIRMED, exchange.shared(), exchange.own());
        }
    }

    /** It takes turns, but on a busy machine it may take a node for down until its next look at it. */
    private static void reachesEachNode(Balancer balancer) throws Exception {
        List<Connection> open = new ArrayList<>();
        try {
            Awaitility.await("a connection on each node")
                    .pollInterval(Duration.ofSeconds(1))
                    .ignoreExceptionsInstanceOf(IOException.class)
                    .untilAsserted(() -> {
                        open.add(Cluster.connectTo(balancer.port()));
                        assertThat(nodesOfConnections())
                                .as("nodes of %s; haproxy says: %s", open, balancer.said())
                                .hasSize(3);
                    });
        } finally {
            for (Connection each : open) {
                each.abort(1_000);
            }
        }
    }

    private static Set<String> nodesOfConnections() throws Exception {
        Set<String> nodes = new HashSet<>();
        cluster.get("/api/connections")
                .forEach(each -> nodes.add(each.path("node").asString()));
        return nodes;
    }

    @Test
    void springAmqp() throws Exception {
        Exchange exchange = exchange("spring");
        exchange.runs(new SpringAmqpJob())
                .wasAnswered("returned 312", "refused 406", "refused 404", "answered PING")
                .missedNothing(CONFIRMED, exchange.shared(), exchange.own());
    }

    @Test
    void pika() throws Exception {
        needs("Debian's python3-pika", PYTHON, "-c", "import pika");
        Exchange exchange = exchange("pika");
        exchange.runs(PYTHON, client("python/pika_job.py"))
                .wasAnswered("returned 312", "refused 406", "refused 404")
                .missedNothing(CONFIRMED, exchange.shared(), exchange.own());
    }

    @Test
    void kombu() throws Exception {
        needs("Debian's python3-kombu", PYTHON, "-c", "import kombu, amqp");
        Exchange exchange = exchange("kombu");
        exchange.runs(PYTHON, client("python/kombu_job.py"))
                .wasAnswered("returned 312", "refused 406", "refused 404", "answered ping", "simple True")
                .missedNothing(CONFIRMED, exchange.shared(), exchange.own());
    }

    @Test
    void celery() throws Exception {
        needs("Debian's celery", PYTHON, "-c", "import celery.bin.celery");
        Exchange exchange = exchange("celery");
        exchange.runs(PYTHON, client("python/celery_job.py"))
                .wasAnswered("sum 5", "retried 2", "scheduled 20", "later 210", "sum 8")
                .missedNothing(40, exchange.shared());
    }

    @Test
    void amqplib() throws Exception {
        String node = Files.isExecutable(Path.of("/usr/bin/node")) ? "/usr/bin/node" : "/usr/local/bin/node";
        String module = client("node/node_modules/amqplib/package.json");
        needs(
                "Node.js, or amqplib (npm ci in system-tests/src/test/clients/node),",
                node,
                "-e",
                "require('./" + module + "')");
        Exchange exchange = exchange("amqplib");
        exchange.runs(node, client("node/amqplib_job.mjs"))
                .wasAnswered("returned 312", "refused 406", "refused 404")
                .missedNothing(CONFIRMED, exchange.shared(), exchange.own());
    }

    @Test
    void bunny() throws Exception {
        needs("Debian's ruby-bunny", "/usr/bin/ruby", "-e", "require 'bunny'");
        Exchange exchange = exchange("bunny");
        exchange.runs("/usr/bin/ruby", client("ruby/bunny_job.rb"))
                .wasAnswered("returned 312", "refused 406", "refused 404")
                .missedNothing(CONFIRMED, exchange.shared(), exchange.own());
    }

    @Test
    void phpAmqplib() throws Exception {
        needs("Debian's php-amqplib with php-cli", "/usr/bin/php", "-r", "require 'PhpAmqpLib/autoload.php';");
        Exchange exchange = exchange("php");
        exchange.runs("/usr/bin/php", client("php/php_amqplib_job.php"))
                .wasAnswered("returned 312", "refused 406", "refused 404")
                .missedNothing(CONFIRMED, exchange.shared(), exchange.own());
    }

    @Test
    void amqpTools() throws Exception {
        needs("Debian's amqp-tools", "/usr/bin/amqp-publish", "--help");
        Exchange exchange = exchange("tools");
        exchange.runs("/bin/bash", client("shell/amqp_tools_job.sh"))
                .wasAnswered("refused 406", "refused 404", "got 1")
                .missedNothing(100, exchange.shared(), exchange.own());
    }
}
