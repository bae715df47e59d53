package io.leveret.system;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.awaitility.Awaitility;

/** haproxy in front of the three nodes of a cluster. */
final class Balancer implements AutoCloseable {
    static final String PROGRAM = "/usr/sbin/haproxy";

    private final Process process;
    private final int port;

    private final Path log;

    private Balancer(Process process, int port, Path log) {
        this.process = process;
        this.port = port;
        this.log = log;
    }

    static Balancer before(Cluster cluster, Path configuration) throws IOException {
        int port = Cluster.freePorts(1)[0];
        ProcessBuilder builder = new ProcessBuilder(PROGRAM, "-db", "-f", configuration.toString());
        Map<String, String> environment = builder.environment();
        environment.put("BALANCER", String.valueOf(port));
        for (int node = 1; node <= 3; node++) {
            environment.put("RABBIT" + node, String.valueOf(cluster.amqpPort(node)));
        }
        Path log = cluster.folder().resolve("haproxy.log");
        builder.redirectErrorStream(true).redirectOutput(log.toFile());
        Balancer balancer = new Balancer(builder.start(), port, log);
        Awaitility.await("haproxy listens, see " + cluster.folder()).until(balancer::listens);

        return balancer;
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    int port() {
        return port;
    }

    /** Its warnings: which nodes it took for down or up, and when. */
    String said() throws IOException {
        return Files.readString(log);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
