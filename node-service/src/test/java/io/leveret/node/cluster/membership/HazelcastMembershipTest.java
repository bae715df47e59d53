package io.leveret.node.cluster.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.hazelcast.client.HazelcastClient;
import com.hazelcast.client.config.ClientConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.internal.serialization.InternalSerializationService;
import com.hazelcast.internal.serialization.impl.DefaultSerializationServiceBuilder;
import io.leveret.model.NodeName;
import io.leveret.node.FreePorts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Members with the real engine in one process. */
@Tag("engine")
class HazelcastMembershipTest {
    private static final int TICK_SECONDS = 60;

    private final List<HazelcastMembership> open = new ArrayList<>();
    private final List<String> faults = new CopyOnWriteArrayList<>();

    @AfterEach
    void closeAll() {
        open.forEach(HazelcastMembership::close);
    }

    private static MembershipSettings settings(String name, long boot, int port, List<Integer> ports, String cluster) {
        Member self = new Member(
                new NodeName(name),
                new UUID(1, name.hashCode()),
                boot,
                "1",
                TICK_SECONDS,
                Map.of("link", "127.0.0.1:" + port));
        List<String> seeds = ports.stream().map(each -> "127.0.0.1:" + each).toList();
        return new MembershipSettings(self, "127.0.0.1", port, seeds, cluster);
    }

    private HazelcastMembership start(MembershipSettings settings) {
        HazelcastMembership membership = HazelcastMembership.start(settings, (what, cause) -> faults.add(what));
        open.add(membership);
        return membership;
    }

    @Test
    void membersSeeEachOtherComeAndGo() {
        List<Integer> ports = FreePorts.choose(3);
        HazelcastMembership a = start(settings("a", 1, ports.get(0), ports, "secret"));
        List<String> events = new CopyOnWriteArrayList<>();
        a.addListener(new MembershipListener() {
            @Override
            public void appeared(Member member) {
                events.add("+" + member.node() + " " + member.boot() + " " + member.addresses());
            }

            @Override
            public void vanished(Member member) {
                events.add("-" + member.node() + " " + member.boot());
            }
        });
        HazelcastMembership b = start(settings("b", 7, ports.get(1), ports, "secret"));
        String address = "{link=127.0.0.1:" + ports.get(1) + "}";
        await().until(() -> events.equals(List.of("+b 7 " + address)));
        assertThat(b.members().keySet()).extracting(NodeName::value).containsExactly("a", "b");

        // A closed connection is noticed long before net_ticktime.
        long start = System.nanoTime();
        b.close();
        await().until(() -> events.contains("-b 7"));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(TICK_SECONDS / 2));
        assertThat(a.members().keySet()).extracting(NodeName::value).containsExactly("a");

        start(settings("b", 8, ports.get(1), ports, "secret"));
        await().until(() -> events.contains("+b 8 " + address));

        // Another secret is another cluster.
        HazelcastMembership stranger = start(settings("x", 1, ports.get(2), ports, "other"));
        assertThat(stranger.members()).hasSize(1);
        assertThat(a.members()).hasSize(2);

        ClientConfig client = new ClientConfig();
        client.setClusterName("secret");
        client.setProperty("hazelcast.logging.type", "slf4j");
        client.getNetworkConfig().addAddress("127.0.0.1:" + ports.get(0));
        client.getConnectionStrategyConfig().getConnectionRetryConfig().setClusterConnectTimeoutMillis(500);
        assertThatThrownBy(() -> HazelcastClient.newHazelcastClient(client)).isInstanceOf(IllegalStateException.class);
    }

    /** Nobody would hear of a node that comes or goes. */
    @Test
    void theNodeStopsWhenTheEngineEndsOfItself() {
        List<Integer> ports = FreePorts.choose(2);
        HazelcastMembership closed = start(settings("a", 1, ports.get(0), ports, "secret"));
        closed.close();
        assertThat(faults).as("closed on purpose").isEmpty();

        MembershipSettings settings = settings("b", 1, ports.get(1), ports, "secret");
        start(settings);
        Hazelcast.getHazelcastInstanceByName(HazelcastTuning.of(settings).getInstanceName())
                .getLifecycleService()
                .terminate();
        await().until(() -> !faults.isEmpty());
        assertThat(faults).containsExactly("membership ended, so it no longer hears which nodes are alive");
    }

    @Test
    void noJavaObjectIsReadFromTheWire() {
        MembershipSettings settings = settings("a", 1, 1, List.of(), "secret");
        InternalSerializationService open = new DefaultSerializationServiceBuilder().build();
        InternalSerializationService filtered = new DefaultSerializationServiceBuilder()
                .setConfig(HazelcastTuning.of(settings).getSerializationConfig())
                .build();
        assertThat(open.<Object>toObject(open.toData(new StringBuilder("x")))).isNotNull();
        assertThatThrownBy(() -> filtered.toObject(open.toData(new StringBuilder("x"))))
                .hasStackTraceContaining("SecurityException");
    }
}
