package io.leveret.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Nodes and one admin as processes of their own, started by the same scripts as everywhere, on ports that were free. Logs stay
 * under {@code target/clusters}. Times are generous: the machine has two cores.
 */
final class Cluster implements AutoCloseable {
    private static final int PORTS_FROM = 10_000;
    /** Where the ports of outgoing connections begin: {@code net.ipv4.ip_local_port_range}. */
    private static final int PORTS_UNTIL = 32_768;

    /** The library gives up a login after ten seconds. */
    static final int HANDSHAKE_MILLIS = 60_000;

    private static final Duration USABLE_WITHIN = Duration.ofSeconds(300);
    private static final Path HOME =
            Path.of(System.getProperty("leveret.home", "..")).toAbsolutePath().normalize();
    static final String SECRET = "a secret of the system tests";
    private static final JsonMapper JSON = new JsonMapper();

    private final Path folder;
    private final Path secret;
    private final List<Ports> nodes = new ArrayList<>();
    private final Map<String, Process> processes = new HashMap<>();
    private final int adminPort;
    private final Map<String, String> settings;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private record Ports(int amqp, int link, int hazelcast, int raft, int control, int tls) {}

    /** An answer of the HTTP API. */
    record Answer(int status, String body) {
        JsonNode json() {
            return JSON.readTree(body);
        }
    }

    /** What a command printed. */
    record Output(int code, String out, String err) {}

    private Cluster(String name, int count, Map<String, String> settings) throws IOException {
        this.folder = Files.createDirectories(HOME.resolve("system-tests/target/clusters"))
                .resolve(name + "-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        Files.createDirectories(folder);
        this.settings = settings;
        this.secret = Files.writeString(folder.resolve("secret"), SECRET);
        int[] ports = freePorts(count * 6 + 1);
        for (int i = 0; i < count; i++) {
            int at = i * 6;
            nodes.add(new Ports(ports[at], ports[at + 1], ports[at + 2], ports[at + 3], ports[at + 4], ports[at + 5]));
        }
        this.adminPort = ports[count * 6];
    }

    /** Starts that many nodes and the admin, and waits until all are usable. */
    static Cluster start(String name, int count) throws IOException {
        return start(name, count, Map.of());
    }

    /** The same, with further settings for every node. */
    static Cluster start(String name, int count, Map<String, String> settings) throws IOException {
        Cluster cluster = new Cluster(name, count, settings);
        boolean isUsable = false;
        try {
            for (int i = 1; i <= count; i++) {
                cluster.launch(i);
            }
            cluster.launchAdmin();
            for (int i = 1; i <= count; i++) {
                cluster.awaitUsable(i);
            }
            cluster.awaitReady("admin", cluster.adminPort);
            isUsable = true;
            return cluster;
        } finally {
            if (!isUsable) {
                // Nobody else would end these processes.
                cluster.processes.values().forEach(Process::destroyForcibly);
            }
        }
    }

    static String name(int node) {
        return "rabbit" + node + "@localhost";
    }

    int amqpPort(int node) {
        return nodes.get(node - 1).amqp();
    }

    /** Used when there is a certificate among the settings. */
    int tlsPort(int node) {
        return nodes.get(node - 1).tls();
    }

    int controlPort(int node) {
        return nodes.get(node - 1).control();
    }

    String adminUrl() {
        return "http://127.0.0.1:" + adminPort;
    }

    /** A connection as guest; without automatic recovery, so that tests see what happens. */
    Connection connect(int node) throws Exception {
        return connectTo(amqpPort(node));
    }

    /** The same, through a port that leads to some node. */
    static Connection connectTo(int port) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        factory.setAutomaticRecoveryEnabled(false);
        factory.setHandshakeTimeout(HANDSHAKE_MILLIS);
        return factory.newConnection();
    }

    void launch(int node) throws IOException {
        // A second process on the same data would end by itself, and nobody would know the first one any more.
        assertThat(process(node) != null && isRunning(node))
                .as("rabbit%d runs already", node)
                .isFalse();
        Ports own = nodes.get(node - 1);
        Map<String, String> environment = new HashMap<>(settings);
        environment.putIfAbsent("LEVERET_JAVA_OPTS", "-Xmx256m");
        // As long as clients here wait. When a busy machine elects for longer, refusing and cancelling would be no
        // fault.
        environment.putIfAbsent("LEVERET_PUBLISH_DEADLINE_SECONDS", "60");
        environment.put("LEVERET_NODE_NAME", name(node));
        environment.put("LEVERET_DATA", folder.resolve("rabbit" + node).toString());
        environment.put("LEVERET_INITIAL_MEMBERS", members());
        environment.put("LEVERET_AMQP_PORT", String.valueOf(own.amqp()));
        if (settings.containsKey("LEVERET_TLS_CERTIFICATE")) {
            environment.put("LEVERET_TLS_PORT", String.valueOf(own.tls()));
        }
        environment.put("LEVERET_JAR", jar("node-service"));
        run("rabbit" + node, "bin/run-node", environment);
    }

    private void launchAdmin() throws IOException {
        Map<String, String> environment = new HashMap<>();
        environment.put("LEVERET_ADMIN_PORT", String.valueOf(adminPort));
        environment.put("LEVERET_DATA", folder.resolve("admin").toString());
        environment.put(
                "LEVERET_NODES",
                String.join(
                        ",",
                        nodes.stream()
                                .map(each -> "127.0.0.1:" + each.control())
                                .toList()));
        environment.put("LEVERET_JAR", jar("admin-ui"));
        run("admin", "bin/run-admin", environment);
    }

    private void run(String name, String script, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(HOME.resolve(script).toString());
        environment.put("LEVERET_SECRET_FILE", secret.toString());
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true);
        builder.redirectOutput(
                ProcessBuilder.Redirect.appendTo(folder.resolve(name + ".log").toFile()));
        processes.put(name, builder.start());
    }

    private String members() {
        List<String> all = new ArrayList<>();
        for (int i = 1; i <= nodes.size(); i++) {
            Ports each = nodes.get(i - 1);
            all.add(name(i) + "=127.0.0.1:" + each.link() + ":" + each.hazelcast() + ":" + each.raft() + ":"
                    + each.control());
        }
        return String.join(",", all);
    }

    /** Runs one more node process to its end, which must come by itself, and gives what it said. */
    Output runNode(Map<String, String> wrong) throws Exception {
        int[] ports = freePorts(5);
        Map<String, String> environment = new HashMap<>();
        environment.put("LEVERET_NODE_NAME", name(1));
        environment.put(
                "LEVERET_DATA", Files.createTempDirectory(folder, "extra").toString());
        environment.put(
                "LEVERET_INITIAL_MEMBERS",
                name(1) + "=127.0.0.1:" + ports[0] + ":" + ports[1] + ":" + ports[2] + ":" + ports[3]);
        environment.put("LEVERET_AMQP_PORT", String.valueOf(ports[4]));
        environment.put("LEVERET_JAR", jar("node-service"));
        environment.putAll(wrong);
        run("extra", "bin/run-node", environment);
        Process process = processes.get("extra");
        assertThat(process.waitFor(180, TimeUnit.SECONDS))
                .as("the process ends")
                .isTrue();
        return new Output(process.exitValue(), Files.readString(folder.resolve("extra.log")), "");
    }

    Path folder() {
        return folder;
    }

    Path data(int node) {
        return folder.resolve("rabbit" + node);
    }

    List<Long> processIds() {
        return processes.values().stream()
                .filter(Process::isAlive)
                .map(Process::pid)
                .toList();
    }

    /** The status of an unsigned GET. */
    int raw(int port, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    long pid(int node) {
        return process(node).pid();
    }

    /** kill -9. */
    void kill(int node) throws InterruptedException {
        process(node).destroyForcibly();
        assertThat(process(node).waitFor(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Asks the node to stop in good order, and waits for its end. */
    void stop(int node) throws InterruptedException {
        process(node).destroy();
        assertThat(process(node).waitFor(60, TimeUnit.SECONDS))
                .as("rabbit%d ends", node)
                .isTrue();
    }

    /** SIGSTOP or SIGCONT. */
    void signal(int node, String signal) throws Exception {
        Process kill = new ProcessBuilder(
                        "kill", "-" + signal, String.valueOf(process(node).pid()))
                .start();
        assertThat(kill.waitFor()).isZero();
    }

    void restart(int node) throws IOException {
        launch(node);
        awaitUsable(node);
    }

    /** Starts whatever a test killed or stopped and left so, also when it failed; at once when there is nothing to do. */
    void startTheDead() throws IOException {
        List<Integer> dead = new ArrayList<>();
        for (int node = 1; node <= nodes.size(); node++) {
            if (!isRunning(node)) {
                launch(node);
                dead.add(node);
            }
        }
        dead.forEach(this::awaitUsable);
    }

    /** Waits until the node takes AMQP connections. */
    void awaitUsable(int node) {
        awaitReady("rabbit" + node, controlPort(node));
    }

    private void awaitReady(String name, int port) {
        Awaitility.await(name + " is usable, see " + folder)
                .atMost(USABLE_WITHIN)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    assertThat(processes.get(name).isAlive())
                            .as("%s runs, see %s", name, folder)
                            .isTrue();
                    return isReady(port);
                });
    }

    private boolean isReady(int port) throws InterruptedException {
        try {
            URI uri = URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness");
            HttpRequest request =
                    HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(5)).build();
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    boolean isRunning(int node) {
        return process(node).isAlive();
    }

    private Process process(int node) {
        return processes.get("rabbit" + node);
    }

    /** The HTTP API as guest. */
    Answer api(String method, String path, String body) throws IOException, InterruptedException {
        String credentials = Base64.getEncoder().encodeToString("guest:guest".getBytes());
        HttpRequest request = HttpRequest.newBuilder(URI.create(adminUrl() + path))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Basic " + credentials)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.body());
    }

    JsonNode get(String path) throws IOException, InterruptedException {
        Answer answer = api("GET", path, "");
        assertThat(answer.status()).as("GET %s: %s", path, answer.body()).isEqualTo(200);
        return answer.json();
    }

    /** Puts a policy over the queues of vhost / that match. */
    void policy(String name, String pattern, String definition) throws Exception {
        Answer answer = api(
                "PUT",
                "/api/policies/%2F/" + name,
                "{\"pattern\":\"" + pattern + "\",\"apply-to\":\"queues\",\"definition\":" + definition + "}");
        assertThat(answer.status()).as(answer.body()).isIn(201, 204);
    }

    /** Waits until the queue has that many mirrors and all of them are in sync. */
    void awaitInSync(String queue, int mirrors) {
        Awaitility.await(queue + " has " + mirrors + " mirrors in sync, see " + folder)
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> {
                    JsonNode seen = get("/api/queues/%2F/" + queue);
                    assertThat(seen.path("slave_nodes").size()).isEqualTo(mirrors);
                    assertThat(seen.path("synchronised_slave_nodes").size()).isEqualTo(mirrors);
                });
    }

    /** The number of the node that leads the queue. */
    int leader(String queue) throws Exception {
        return number(get("/api/queues/%2F/" + queue).path("node").asString());
    }

    /** The number in a node's name. */
    static int number(String node) {
        return Integer.parseInt(node.substring("rabbit".length(), node.indexOf('@')));
    }

    /** Runs leveretctl against a node. */
    Output ctl(int node, String... words) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(HOME.resolve("bin/leveretctl").toString(), "-n", name(node)));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LEVERET_SECRET_FILE", secret.toString());
        builder.environment().put("LEVERET_CONTROL", "127.0.0.1:" + controlPort(node));
        File out = Files.createTempFile(folder, "ctl", ".out").toFile();
        File err = Files.createTempFile(folder, "ctl", ".err").toFile();
        Process process = builder.redirectOutput(out).redirectError(err).start();
        assertThat(process.waitFor(120, TimeUnit.SECONDS))
                .as("%s ends", command)
                .isTrue();
        return new Output(process.exitValue(), Files.readString(out.toPath()), Files.readString(err.toPath()));
    }

    private static String jar(String module) {
        try (var files = Files.list(HOME.resolve(module).resolve("target"))) {
            return files.map(Path::toString)
                    .filter(each -> each.contains("/" + module + "-") && each.endsWith(".jar"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException(module + " is not packaged: run mvn package"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Ports that nobody listens on, and that the kernel gives to no connection that goes out: a node that was killed finds its
     * own again.
     */
    static int[] freePorts(int count) {
        Set<Integer> ports = new LinkedHashSet<>();
        while (ports.size() < count) {
            int port = ThreadLocalRandom.current().nextInt(PORTS_FROM, PORTS_UNTIL);
            if (isFree(port)) {
                ports.add(port);
            }
        }
        return ports.stream().mapToInt(Integer::intValue).toArray();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    @Override
    public void close() throws InterruptedException {
        for (Process each : processes.values()) {
            each.destroyForcibly();
        }
        for (Process each : processes.values()) {
            each.waitFor(20, TimeUnit.SECONDS);
        }
    }
}
