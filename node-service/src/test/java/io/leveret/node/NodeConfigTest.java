package io.leveret.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.node.amqp.server.ServerLimits;
import io.leveret.node.runtime.MemoryWatch;
import io.leveret.node.runtime.ResourceWatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeConfigTest {
    private static final String SECRET = "0123456789abcdef";

    @Test
    void membersAreGivenWithOrWithoutPorts() {
        NodeConfig config = NodeConfig.fromEnvironment(Map.of(
                "LEVERET_SECRET", SECRET,
                "LEVERET_NODE_NAME", "b@h2",
                "LEVERET_INITIAL_MEMBERS", "a@h1=h1, b@h2=h2:1:2:3:4"));

        assertThat(config.members().get(0).linkPort()).isEqualTo(25_672);
        assertThat(config.self().host()).isEqualTo("h2");
        assertThat(config.self().linkPort()).isEqualTo(1);
        assertThat(config.self().hazelcastPort()).isEqualTo(2);
        assertThat(config.self().raftPort()).isEqualTo(3);
        assertThat(config.self().controlPort()).isEqualTo(4);
    }

    @Test
    void theSecretComesFromItsFileAndIsNotShown(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("secret"), SECRET + "\n");
        NodeConfig config = NodeConfig.fromEnvironment(Map.of("LEVERET_SECRET_FILE", file.toString()));

        assertThat(config.secret()).isEqualTo(SECRET);
        assertThat(config.toString()).doesNotContain(SECRET);
    }

    @Test
    void pauseFollowsTheTickTimeUnlessItIsSet() {
        Map<String, String> environment = new HashMap<>(Map.of("LEVERET_SECRET", SECRET, "LEVERET_NET_TICKTIME", "30"));
        assertThat(NodeConfig.fromEnvironment(environment).pauseAfter()).isEqualTo(Duration.ofSeconds(30));

        environment.put("LEVERET_PAUSE_AFTER_SECONDS", "7");
        assertThat(NodeConfig.fromEnvironment(environment).pauseAfter()).isEqualTo(Duration.ofSeconds(7));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "LEVERET_AMQP_PORT | 70000 | is not a port",
                "LEVERET_AMQP_PORT | http | is not a number",
                "LEVERET_NET_TICKTIME | 0 | is not within",
                "LEVERET_GUEST_REMOTE | yes | neither true nor false",
                "LEVERET_INITIAL_MEMBERS | rabbit2@localhost=h | does not name this node",
                "LEVERET_INITIAL_MEMBERS | rabbit1@localhost=h,rabbit1@localhost=i | twice",
                "LEVERET_INITIAL_MEMBERS | rabbit1@localhost=h:1 | is not name=host",
                "LEVERET_CONNECTION_MAX | many | is not a number",
                "LEVERET_CHANNEL_MAX | 70000 | within 0 to 65535",
                "LEVERET_CHANNEL_MAX | infinity | within 0 to 65535",
                "LEVERET_MAX_MESSAGE_SIZE | 1GB | is not a number within",
                "LEVERET_VM_MEMORY_HIGH_WATERMARK | 1.5 | neither an amount",
                "LEVERET_DISK_FREE_LIMIT | bogus | neither an amount",
                "LEVERET_SECRET | short | at least 16 characters",
                "LEVERET_SECRET_FILE | /nowhere/secret | cannot be read"
            })
    void aWrongSettingIsNamedWithWhatIsRight(String name, String value, String part) {
        Map<String, String> environment = new HashMap<>(Map.of("LEVERET_SECRET", SECRET));
        environment.put(name, value);

        assertThatThrownBy(() -> NodeConfig.fromEnvironment(environment))
                .isInstanceOf(NodeConfig.ConfigException.class)
                .hasMessageContaining(part)
                .satisfies(e -> assertThat(e.getMessage()).containsAnyOf(name, "secret"));
    }

    @Test
    void aSmallHeapMeansASmallerLargestBody() {
        assertThat(NodeLimits.of(Map.of(), 160 << 20).server().messageBytesMax())
                .isEqualTo(10 << 20);
        Map<String, String> given = Map.of("LEVERET_MAX_MESSAGE_SIZE", "64MiB");
        assertThat(NodeLimits.of(given, 160 << 20).server().messageBytesMax()).isEqualTo(64 << 20);
    }

    @Test
    void limitsHaveUnits() {
        Map<String, String> environment = new HashMap<>(Map.of("LEVERET_SECRET", SECRET));
        assertThat(NodeLimits.of(environment, 2L << 30).server()).isEqualTo(new ServerLimits(-1, -1, 128 << 20));
        environment.put("LEVERET_CONNECTION_MAX", "100");
        environment.put("LEVERET_CHANNEL_MAX_PER_NODE", "infinity");
        environment.put("LEVERET_CHANNEL_MAX", "0");
        environment.put("LEVERET_MAX_MESSAGE_SIZE", "16MiB");
        environment.put("LEVERET_VM_MEMORY_HIGH_WATERMARK", "0.5");
        environment.put("LEVERET_DISK_FREE_LIMIT", "2GB");
        NodeLimits limits = NodeConfig.fromEnvironment(environment).limits();
        assertThat(limits.server()).isEqualTo(new ServerLimits(100, -1, 16 << 20));
        assertThat(limits.channelMax()).isEqualTo(65_535);
        try (MemoryWatch memory = new MemoryWatch();
                ResourceWatch disk = new ResourceWatch(() -> 0, 0)) {
            limits.applyTo(memory, disk);
            assertThat(memory.limitBytes()).isEqualTo(memory.physicalBytes() / 2);
            assertThat(disk.lowBytes()).isEqualTo(2_000_000_000);
        }
    }
}
