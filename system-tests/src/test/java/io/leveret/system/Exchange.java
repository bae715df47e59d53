package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.MessageProperties;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

/**
 * What a client says while it works, and what happens to its node meanwhile. The client gets a name, the port of a node that
 * does not lead the mirrored queue {@code ha.NAME}, and the port of another. At its word {@code half} the first node is killed
 * (with {@code half QUEUE N OTHER} once the queue holds N messages, and all that was done to the other is on its mirrors); at its
 * word {@code back}, when it has found the other, that node is started again.
 */
final class Exchange {
    private static final int SECONDS_MAX = 300;

    /** A client in this process. */
    interface Job {
        void run(Exchange exchange) throws Exception;
    }

    private final Cluster cluster;
    private final String name;
    private int near;
    private final int far;
    private final List<String> lines = new ArrayList<>();
    /** The port of a balancer, or 0. */
    private int through;

    private Exchange(Cluster cluster, String name, int leader) {
        this.cluster = cluster;
        this.name = name;
        this.near = leader % 3 + 1;
        this.far = near % 3 + 1;
    }

    /** Prepares a queue that this node leads. */
    static Exchange over(Cluster cluster, String name, int leader) throws Exception {
        for (int node = 1; node <= 3; node++) {
            if (!cluster.isRunning(node)) {
                cluster.launch(node); // an exchange that failed did not come to this
            }
        }
        for (int node = 1; node <= 3; node++) {
            cluster.awaitUsable(node);
        }
        Exchange exchange = new Exchange(cluster, name, leader);
        try (var connection = cluster.connect(leader)) {
            connection.createChannel().queueDeclare(exchange.shared(), true, false, false, null);
        }
        cluster.awaitInSync(exchange.shared(), 2);
        assertThat(cluster.leader(exchange.shared())).isEqualTo(leader);
        return exchange;
    }

    String name() {
        return name;
    }

    /** The queue that another node leads. */
    String shared() {
        return "ha." + name;
    }

    /** The queue that the client declares where it is, so that it is led there. */
    String own() {
        return "ha." + name + ".own";
    }

    int nearPort() {
        return through == 0 ? cluster.amqpPort(near) : through;
    }

    int farPort() {
        return through == 0 ? cluster.amqpPort(far) : through;
    }

    /** All nodes are behind this port; which one is killed is found by the name of the client's connection. */
    Exchange through(int port) {
        through = port;
        return this;
    }

    Exchange runs(Job job) throws Exception {
        job.run(this);
        return this;
    }

    /** Runs a program to its end; the arguments follow the command. */
    Exchange runs(String... command) throws Exception {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(List.of(name, String.valueOf(nearPort()), String.valueOf(farPort())));
        File errors = cluster.folder().resolve(name + ".err").toFile();
        Process process = new ProcessBuilder(words).redirectError(errors).start();
        CompletableFuture.delayedExecutor(SECONDS_MAX, TimeUnit.SECONDS).execute(() -> end(process));
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                says(line);
            }
        } finally {
            end(process);
        }
        assertThat(process.waitFor())
                .as("exit code of %s, which said %s, and to standard error: %s", words, lines, last(errors.toPath()))
                .isZero();
        return this;
    }

    /** With all that it started and that might outlive it, such as a worker: they hold on to its output, too. */
    private static void end(Process process) {
        List<ProcessHandle> started = process.descendants().toList();
        process.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
    }

    private static String last(Path errors) throws IOException {
        List<String> all = Files.readAllLines(errors);
        return String.join("\n", all.subList(Math.max(0, all.size() - 20), all.size()));
    }

    /** The client tells something; lines of {@code half} and {@code back} have their effect before this returns. */
    void says(String line) throws Exception {
        System.out.println(name + ": " + line);
        lines.add(line);
        String[] words = line.split(" ");
        if (words[0].equals("half")) {
            if (words.length == 4) {
                awaitMessages(words[1], Integer.parseInt(words[2]));
                follow(words[3]);
            }
            if (through != 0) {
                // A node that is too busy to report in time is left out of the answer.
                near = Awaitility.await("the node of " + name)
                        .until(this::nodeOfTheConnection, OptionalInt::isPresent)
                        .getAsInt();
            }
            cluster.kill(near);
        } else if (words[0].equals("back")) {
            assertThat(cluster.isRunning(near))
                    .as("%s lost rabbit%d, which was not killed", name, near)
                    .isFalse();
            cluster.launch(near);
        }
    }

    /** Publishes one more message, {@code 0}; its confirm is for all that the queue's log has before it, too. */
    private void follow(String queue) throws Exception {
        try (var connection = cluster.connect(near)) {
            Channel channel = connection.createChannel();
            channel.confirmSelect();
            channel.basicPublish("", queue, MessageProperties.MINIMAL_PERSISTENT_BASIC, "0".getBytes());
            channel.waitForConfirmsOrDie(60_000);
        }
    }

    private OptionalInt nodeOfTheConnection() throws Exception {
        for (JsonNode each : cluster.get("/api/connections")) {
            if (each.path("client_properties")
                    .path("connection_name")
                    .asString()
                    .equals(name)) {
                return OptionalInt.of(Cluster.number(each.path("node").asString()));
            }
        }
        return OptionalInt.empty();
    }

    private void awaitMessages(String queue, int count) {
        Awaitility.await(count + " messages in " + queue)
                .until(() -> cluster.get("/api/queues/%2F/" + queue)
                                .path("messages_ready")
                                .asInt()
                        == count);
    }

    /** It was refused and returned things, with these codes among others. */
    Exchange wasAnswered(String... answers) {
        for (String answer : answers) {
            assertThat(lines).as(name).anyMatch(line -> line.startsWith(answer));
        }
        return this;
    }

    /** It lost its node, found another, and of that many confirmed messages or more it received each from each queue. */
    void missedNothing(int confirmed, String... queues) {
        assertThat(lines).as(name).contains("content");
        assertThat(lines).as(name).anyMatch(line -> line.startsWith("lost"));
        assertThat(lines).as(name).contains("back");
        String count = find("confirmed");
        assertThat(Integer.parseInt(count.split(" ")[1])).as(name).isGreaterThanOrEqualTo(confirmed);
        for (String queue : queues) {
            assertThat(find("received " + queue + " ")).endsWith(" missing 0");
        }
    }

    private String find(String start) {
        return lines.stream()
                .filter(line -> line.startsWith(start))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " did not say " + start + ", but " + lines));
    }
}
