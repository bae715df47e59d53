package io.leveret.admin;

import io.leveret.model.control.PolicyTie;
import io.leveret.model.control.PolicyUsage;
import io.leveret.model.view.BindingView;
import io.leveret.model.view.ChannelView;
import io.leveret.model.view.ConnectionReference;
import io.leveret.model.view.ConnectionView;
import io.leveret.model.view.ConsumerView;
import io.leveret.model.view.CounterSet;
import io.leveret.model.view.ExchangeView;
import io.leveret.model.view.ListenerView;
import io.leveret.model.view.MessageStats;
import io.leveret.model.view.NamedFeature;
import io.leveret.model.view.NodeFigures;
import io.leveret.model.view.NodeView;
import io.leveret.model.view.OverviewView;
import io.leveret.model.view.PolicyView;
import io.leveret.model.view.QueueFigures;
import io.leveret.model.view.QueueView;
import io.leveret.model.view.Rate;
import io.leveret.model.view.ReplicaView;
import io.leveret.model.view.ReplicationView;
import io.leveret.model.view.UserView;
import io.leveret.model.view.VhostView;
import java.util.List;
import java.util.Map;

/** Views of a cluster of three nodes, as a node would give them. */
public final class Samples {
    public static final String N1 = "rabbit1@localhost";
    public static final String N2 = "rabbit2@localhost";
    public static final String N3 = "rabbit3@localhost";

    private Samples() {}

    public static final PolicyView HA_ALL =
            new PolicyView("/", "ha-all", "^orders\\.", "queues", Map.of("ha-mode", "all"), 10);
    public static final PolicyView TTL =
            new PolicyView("/", "ttl", "^orders\\.old", "queues", Map.of("message-ttl", 60000), 10);

    public static final List<PolicyUsage> USAGE = List.of(
            new PolicyUsage("/", "ha-all", 2, 2, List.of(new PolicyTie("ttl", 10, 1, "ha-all"))),
            new PolicyUsage("/", "ttl", 1, 0, List.of(new PolicyTie("ha-all", 10, 1, "ha-all"))));

    public static ReplicaView leader(String node) {
        return new ReplicaView(node, ReplicaView.LEADER, ReplicaView.State.LEADER, true, true, null, null, null, null);
    }

    public static ReplicaView inSync(String node) {
        return new ReplicaView(node, ReplicaView.MIRROR, ReplicaView.State.IN_SYNC, true, true, 0L, null, null, null);
    }

    public static ReplicaView syncing(String node) {
        return new ReplicaView(
                node,
                ReplicaView.MIRROR,
                ReplicaView.State.SYNCING,
                false,
                true,
                580L,
                new ReplicaView.SyncView(420, 1000, 58_000_000, 12_000_000),
                null,
                null);
    }

    public static QueueView queue(String name, long ready, List<ReplicaView> replicas, String policy) {
        List<String> mirrors = replicas.stream().skip(1).map(ReplicaView::node).toList();
        List<String> synced = replicas.stream()
                .skip(1)
                .filter(ReplicaView::isInSync)
                .map(ReplicaView::node)
                .toList();
        boolean isMirrored = replicas.size() > 1;
        return new QueueView(
                name,
                "/",
                "classic",
                true,
                false,
                false,
                Map.of(),
                replicas.get(0).node(),
                "running",
                isMirrored ? mirrors : null,
                isMirrored ? synced : null,
                isMirrored ? mirrors : null,
                policy,
                null,
                policy == null ? Map.of() : Map.of("ha-mode", "all"),
                null,
                null,
                null,
                "2026-11-30T12:15:46.758+00:00",
                null,
                null,
                Map.of("mode", "default", "len", (int) ready),
                figures(ready),
                new MessageStats(Map.of(MessageStats.Counter.PUBLISH, new MessageStats.Count(ready, 2.5))),
                null,
                new ReplicationView(3, true, 0, replicas));
    }

    private static QueueFigures figures(long ready) {
        return new QueueFigures(
                ready + 3, Rate.ZERO, ready, Rate.ZERO, 3L, Rate.ZERO, 4L, null, ready, ready, 0L, 0L, 1000L, 700L,
                300L, 400L, 1000L, 0L, 1, 1.0, 1.0, 30_320L);
    }

    public static List<QueueView> queues() {
        return List.of(
                queue("orders.new", 12_000, List.of(leader(N1), inSync(N2), inSync(N3)), "ha-all"),
                queue("orders.old", 580, List.of(leader(N2), syncing(N3)), "ha-all"),
                queue("plain", 0, List.of(leader(N3)), null));
    }

    public static NodeView node(String name, boolean isRunning) {
        return new NodeView(
                name,
                "disc",
                isRunning,
                List.of(),
                isRunning ? nodeFigures() : null,
                "broker",
                "0.1.0",
                name.equals(N1),
                false,
                1,
                1,
                isRunning ? new CounterSet(Map.of("gc_num", new MessageStats.Count(12, 0.1))) : null,
                isRunning ? Map.of("strategy", "rss", "total", Map.of("rss", 144_642_048)) : null);
    }

    /** A node whose memory is low. */
    public static NodeView alarmed(String name) {
        return new NodeView(
                name, "disc", true, List.of(), nodeFigures(true), "broker", "0.1.0", true, false, 1, 1, null, null);
    }

    private static NodeFigures nodeFigures() {
        return nodeFigures(false);
    }

    private static NodeFigures nodeFigures(boolean isMemoryLow) {
        return new NodeFigures(
                "4711",
                1_014_666L,
                2,
                0,
                144_642_048L,
                Rate.ZERO,
                1_000_000_000L,
                isMemoryLow,
                80_783_949_824L,
                Rate.ZERO,
                50_000_000L,
                false,
                52L,
                20_000L,
                1L,
                17_910L,
                48L,
                1000L,
                10,
                "basic",
                "rss",
                "/data",
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    public static OverviewView overview() {
        return overview("shop-eu");
    }

    public static OverviewView overview(String clusterName) {
        return new OverviewView(
                "3.10.8",
                "basic",
                Map.of("global", List.of(600, 3600)),
                List.of(new NamedFeature("direct", "AMQP direct exchange", true)),
                "0.1.0",
                "Leveret",
                "3.10.8",
                clusterName,
                "25.2.3",
                "Java 17",
                false,
                false,
                new MessageStats(Map.of(MessageStats.Counter.PUBLISH, new MessageStats.Count(48_221, 70.0))),
                null,
                new OverviewView.QueueTotals(12_589, Rate.ZERO, 12_580, Rate.ZERO, 9, Rate.ZERO),
                new OverviewView.ObjectTotals(1, 1, 8, 3, 1),
                0,
                N1,
                List.of(new ListenerView(N1, "amqp", "127.0.0.1", 5672)),
                List.of());
    }

    public static VhostView vhost(String name) {
        return new VhostView(
                name,
                "Default virtual host",
                List.of(),
                "undefined",
                new VhostView.Metadata("Default virtual host", List.of()),
                false,
                Map.of(N1, "running"),
                168L,
                Rate.ZERO,
                165L,
                Rate.ZERO,
                3L,
                Rate.ZERO,
                null,
                null,
                null,
                null,
                null);
    }

    public static UserView user(String name, String... tags) {
        return new UserView(name, "aGFzaA==", "rabbit_password_hashing_sha256", List.of(tags), Map.of());
    }

    public static ExchangeView exchange(String name, String type) {
        return new ExchangeView(name, "/", type, true, false, false, Map.of(), "rmq-internal", null, null, null);
    }

    public static BindingView binding(String source, String queue, String key) {
        return new BindingView(
                source, "/", queue, BindingView.TO_QUEUE, key, Map.of(), BindingView.propertiesKey(key, Map.of()));
    }

    public static ConnectionView connection(String name, String user) {
        return connection(name, user, "running");
    }

    public static ConnectionView connection(String name, String user, String state) {
        return new ConnectionView(
                name,
                N1,
                "/",
                user,
                user,
                state,
                "network",
                "AMQP 0-9-1",
                "PLAIN",
                "127.0.0.1",
                5672,
                "127.0.0.1",
                56_572,
                false,
                "",
                "",
                "",
                "",
                "",
                "",
                "",
                1,
                2047,
                131_072,
                60,
                1_796_040_943_375L,
                Map.of("product", "a client"),
                "billing",
                9386L,
                Rate.ZERO,
                422L,
                58_149L,
                Rate.ZERO,
                415L,
                0L);
    }

    public static ChannelView channel(String connection, String user) {
        return new ChannelView(
                connection + " (1)",
                1,
                N1,
                "/",
                user,
                user,
                "running",
                true,
                false,
                10,
                0,
                1,
                3,
                0,
                0,
                0,
                new ConnectionReference(connection, "127.0.0.1", 56_572),
                "2026-11-30T12:15:46.758+00:00",
                0,
                null,
                null,
                null);
    }

    public static ConsumerView consumer(String queue) {
        return new ConsumerView(
                "ctag-1",
                new ConsumerView.QueueReference(queue, "/"),
                new ConsumerView.ChannelReference("c (1)", 1, N1, "guest", "c", "127.0.0.1", 56_572),
                true,
                false,
                true,
                "up",
                10,
                Map.of());
    }
}
