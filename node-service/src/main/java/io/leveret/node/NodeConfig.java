package io.leveret.node;

import io.leveret.model.NodeName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a node, from environment variables: the same names in {@code bin/leveret}, in compose files and in
 * containers. The README lists them.
 *
 * @param members the fixed list of the cluster's nodes, this one among them
 * @param amqpBind the address that AMQP listens on; all by default
 * @param clusterInterface the private address that link, Hazelcast, Raft and control listen on
 * @param consumerTimeout a delivery that is not settled for longer closes its channel; zero: never
 * @param netTickTime a node silent for this long counts as down
 * @param loopbackUsers users who may only come from the machine of the node
 * @param tls null: AMQP without TLS only
 */
public record NodeConfig(
        NodeName nodeName,
        Path data,
        String secret,
        List<Member> members,
        String amqpBind,
        String clusterInterface,
        int amqpPort,
        Duration netTickTime,
        Duration mirrorDeadline,
        Duration publishDeadline,
        Duration pauseAfter,
        Duration electionTimeout,
        Duration consumerTimeout,
        NodeLimits limits,
        Set<String> loopbackUsers,
        @Nullable TlsSettings tls) {

    private static final int PORT_MAX = 65_535;
    private static final int SECONDS_MAX = 3_600;
    /** Some 31 years. */
    private static final int CONSUMER_TIMEOUT_SECONDS_MAX = 1_000_000_000;

    private static final int SECRET_LENGTH_MIN = 16;

    /**
     * Where a node of the cluster is reached by its peers.
     *
     * @param host a name or an address on the cluster's interface
     */
    public record Member(NodeName name, String host, int linkPort, int hazelcastPort, int raftPort, int controlPort) {
        private static final int LINK = 25_672;
        private static final int HAZELCAST = 5_701;
        private static final int RAFT = 25_681;
        private static final int CONTROL = 15_681;
        private static final int PARTS = 5;

        /** {@code name=host[:link:hazelcast:raft:control]}; without ports, the default ones. */
        static Member parse(String text) {
            int equals = text.indexOf('=');
            String[] parts = text.substring(equals + 1).split(":", -1);
            if (equals < 1 || parts[0].isEmpty() || (parts.length != 1 && parts.length != PARTS)) {
                throw new ConfigException("LEVERET_INITIAL_MEMBERS: '" + text
                        + "' is not name=host or name=host:link:hazelcast:raft:control");
            }
            boolean isShort = parts.length == 1;
            String where = "LEVERET_INITIAL_MEMBERS";
            return new Member(
                    new NodeName(text.substring(0, equals).strip()),
                    parts[0],
                    isShort ? LINK : port(where, parts[1]),
                    isShort ? HAZELCAST : port(where, parts[2]),
                    isShort ? RAFT : port(where, parts[3]),
                    isShort ? CONTROL : port(where, parts[4]));
        }
    }

    /** A setting that cannot be used. The message names it and says what is right. */
    public static final class ConfigException extends RuntimeException {
        ConfigException(String reason) {
            super(reason);
        }
    }

    /** This node's own entry of the member list. */
    public Member self() {
        return members.stream()
                .filter(each -> each.name().equals(nodeName))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("checked when the settings were read"));
    }

    /** @throws ConfigException when a setting is missing or wrong */
    public static NodeConfig fromEnvironment(Map<String, String> environment) {
        Settings settings = new Settings(environment);
        NodeName name = new NodeName(settings.text("LEVERET_NODE_NAME", "rabbit1@localhost"));
        List<Member> members = members(settings.text("LEVERET_INITIAL_MEMBERS", name + "=127.0.0.1"), name);
        Duration netTickTime = settings.seconds("LEVERET_NET_TICKTIME", 10);
        return new NodeConfig(
                name,
                Path.of(settings.text("LEVERET_DATA", ".leveret/" + name.value())),
                settings.secret(),
                members,
                settings.text("LEVERET_BIND", "0.0.0.0"),
                settings.text("LEVERET_CLUSTER_INTERFACE", "127.0.0.1"),
                settings.portOr("LEVERET_AMQP_PORT", 5_672),
                netTickTime,
                settings.seconds("LEVERET_MIRROR_DEADLINE_SECONDS", 5),
                settings.seconds("LEVERET_PUBLISH_DEADLINE_SECONDS", 20),
                settings.seconds("LEVERET_PAUSE_AFTER_SECONDS", (int) netTickTime.toSeconds()),
                settings.seconds("LEVERET_ELECTION_TIMEOUT_SECONDS", 1),
                settings.seconds("LEVERET_CONSUMER_TIMEOUT_SECONDS", 1_800, 0, CONSUMER_TIMEOUT_SECONDS_MAX),
                NodeLimits.of(environment, Runtime.getRuntime().maxMemory()),
                loopbackUsers(settings),
                TlsSettings.read(settings));
    }

    /** The list, or {@code none}; without {@code guest} when that user may come from anywhere. */
    private static Set<String> loopbackUsers(Settings settings) {
        String list = settings.text("LEVERET_LOOPBACK_USERS", "guest");
        Set<String> users = new HashSet<>();
        if (!list.equals("none")) {
            for (String each : list.split(",")) {
                users.add(each.strip());
            }
        }
        if (settings.flag("LEVERET_GUEST_REMOTE")) {
            users.remove("guest");
        }
        return Set.copyOf(users);
    }

    private static List<Member> members(String list, NodeName self) {
        List<Member> members = new ArrayList<>();
        Set<NodeName> names = new HashSet<>();
        for (String each : list.split(",")) {
            Member member = Member.parse(each.strip());
            if (!names.add(member.name())) {
                throw new ConfigException("LEVERET_INITIAL_MEMBERS names " + member.name() + " twice");
            }
            members.add(member);
        }
        if (!names.contains(self)) {
            throw new ConfigException("LEVERET_INITIAL_MEMBERS does not name this node, " + self);
        }
        return List.copyOf(members);
    }

    private static int port(String where, String text) {
        int port = number(where, text);
        if (port < 1 || port > PORT_MAX) {
            throw new ConfigException(where + ": " + port + " is not a port (1 to " + PORT_MAX + ")");
        }
        return port;
    }

    private static int number(String where, String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            throw new ConfigException(where + ": '" + text + "' is not a number");
        }
    }

    @Override
    public String toString() {
        return "NodeConfig[" + nodeName + ", data=" + data + ", members=" + members + "]";
    }

    /** Typed access to the variables. */
    record Settings(Map<String, String> environment) {
        @Nullable
        String given(String name) {
            String value = environment.get(name);
            return value == null || value.isBlank() ? null : value.strip();
        }

        String text(String name, String fallback) {
            String value = given(name);
            return value == null ? fallback : value;
        }

        int portOr(String name, int fallback) {
            String value = given(name);
            return value == null ? fallback : port(name, value);
        }

        boolean flag(String name) {
            String value = text(name, "false");
            if (!value.equals("true") && !value.equals("false")) {
                throw new ConfigException(name + ": '" + value + "' is neither true nor false");
            }
            return value.equals("true");
        }

        Duration seconds(String name, int fallback) {
            return seconds(name, fallback, 1, SECONDS_MAX);
        }

        Duration seconds(String name, int fallback, int least, int most) {
            String value = given(name);
            int seconds = value == null ? fallback : number(name, value);
            if (seconds < least || seconds > most) {
                throw new ConfigException(
                        name + ": " + seconds + " is not within " + least + " to " + most + " seconds");
            }
            return Duration.ofSeconds(seconds);
        }

        String secret() {
            String file = given("LEVERET_SECRET_FILE");
            String secret = file == null ? given("LEVERET_SECRET") : read(file);
            if (secret == null || secret.length() < SECRET_LENGTH_MIN) {
                throw new ConfigException("the cluster's secret must have at least " + SECRET_LENGTH_MIN
                        + " characters: set LEVERET_SECRET_FILE or LEVERET_SECRET");
            }
            return secret;
        }

        private static String read(String file) {
            try {
                return Files.readString(Path.of(file)).strip();
            } catch (IOException e) {
                throw new ConfigException("LEVERET_SECRET_FILE: " + file + " cannot be read");
            }
        }
    }
}
