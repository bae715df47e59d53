package io.leveret.node;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.view.ListenerView;
import io.leveret.model.view.ReplicaView.SyncView;
import io.leveret.node.amqp.server.ConnectionRegistry;
import io.leveret.node.broker.auth.Authenticator;
import io.leveret.node.broker.auth.Permissions;
import io.leveret.node.broker.vhost.QueueDirectory;
import io.leveret.node.broker.vhost.VirtualHosts;
import io.leveret.node.cluster.metadata.MetadataStore;
import io.leveret.node.cluster.replication.QueueHosts;
import io.leveret.node.cluster.replication.ReplicationStatus;
import io.leveret.node.control.ControlScope;
import io.leveret.node.control.ListenerCertificates;
import io.leveret.node.control.LocalReplicas;
import io.leveret.node.metrics.LocalFigures;
import io.leveret.node.metrics.NodeFacts;
import io.leveret.node.metrics.QueueChurn;
import io.leveret.node.runtime.MemoryWatch;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.Randomness;
import io.leveret.node.runtime.ResourceWatch;
import io.leveret.node.runtime.SerialExecutor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows the parts of a broker to the control API. */
final class BrokerControl {
    private BrokerControl() {}

    /** What it shows. */
    record Parts(
            MetadataStore store,
            QueueHosts hosts,
            QueueDirectory queues,
            VirtualHosts vhosts,
            Authenticator authenticator,
            Permissions permissions,
            ConnectionRegistry connections,
            ControlScope.Planner planner,
            ResourceWatch disk,
            MemoryWatch memory,
            NodeClock clock,
            Randomness randomness,
            SerialExecutor executor) {}

    static ControlScope scope(NodeConfig config, String version, Parts parts) {
        NodeFacts facts = new NodeFacts(
                config.nodeName().value(),
                version,
                config.data(),
                List.of(),
                (int) config.netTickTime().toSeconds(),
                parts.clock.nanoTime(),
                parts.memory::isHigh,
                parts.memory::usedBytes,
                parts.memory::limitBytes,
                parts.disk::isLow,
                parts.disk::freeBytes,
                parts.disk::lowBytes);
        QueueChurn churn = new QueueChurn(config.nodeName(), parts.vhosts::queueDeclares);
        parts.store.addListener(churn);
        LocalFigures figures = new LocalFigures(
                facts, parts.connections, parts.queues, churn, parts.clock, () -> !parts.store.hasMajority());
        Map<NodeName, String> addresses = config.members().stream()
                .collect(Collectors.toMap(
                        NodeConfig.Member::name, member -> member.host() + ":" + member.controlPort()));
        return new ControlScope(
                parts.store,
                parts.vhosts,
                parts.queues,
                parts.authenticator,
                parts.permissions,
                figures,
                new Replicas(parts.hosts),
                new Thresholds(parts.memory, parts.disk),
                parts.connections::closeConnection,
                parts.planner,
                addresses,
                listeners(config),
                () -> certificates(config),
                version,
                parts.randomness,
                parts.executor);
    }

    private static List<ListenerCertificates> certificates(NodeConfig config) {
        TlsSettings tls = config.tls();
        return tls == null ? List.of() : List.of(CertificateFiles.read(tls, amqpAddress(config)));
    }

    private static String amqpAddress(NodeConfig config) {
        return config.amqpBind().equals("0.0.0.0") ? "::" : config.amqpBind();
    }

    private static List<ListenerView> listeners(NodeConfig config) {
        String node = config.nodeName().value();
        String amqp = amqpAddress(config);
        String inner = config.clusterInterface();
        List<ListenerView> listeners = new ArrayList<>();
        listeners.add(new ListenerView(node, "amqp", amqp, config.amqpPort()));
        if (config.tls() != null) {
            listeners.add(new ListenerView(node, "amqp/ssl", amqp, config.tls().port()));
        }
        listeners.add(new ListenerView(node, "clustering", inner, config.self().linkPort()));
        listeners.add(new ListenerView(node, "http", inner, config.self().controlPort()));
        return List.copyOf(listeners);
    }

    /** The limits of this node's alarms. */
    private record Thresholds(MemoryWatch memory, ResourceWatch disk) implements ControlScope.Thresholds {
        @Override
        public void memoryFraction(double fraction) {
            memory.setFraction(fraction);
        }

        @Override
        public void memoryBytes(long bytes) {
            memory.setLimitBytes(bytes);
        }

        @Override
        public void diskBytes(long bytes) {
            disk.setLowBytes(bytes);
        }

        @Override
        public void diskFraction(double fraction) {
            disk.setLowBytes((long) (memory.physicalBytes() * fraction));
        }
    }

    /** The queues led here, as replication knows them. */
    private record Replicas(QueueHosts hosts) implements LocalReplicas {
        @Override
        public CompletionStage<Boolean> synchronise(QueueName queue) {
            return hosts.synchronise(queue);
        }

        @Override
        public CompletionStage<Boolean> cancelSynchronising(QueueName queue) {
            return hosts.cancelSynchronise(queue);
        }

        @Override
        public CompletionStage<Map<NodeName, MirrorProgress>> mirrors(QueueName queue) {
            return hosts.status(queue).thenApply(Replicas::progress);
        }

        private static Map<NodeName, MirrorProgress> progress(@Nullable ReplicationStatus status) {
            Map<NodeName, MirrorProgress> byNode = new HashMap<>();
            if (status != null) {
                status.mirrors().forEach(mirror -> byNode.put(mirror.node(), progress(status, mirror)));
            }
            return byNode;
        }

        private static MirrorProgress progress(ReplicationStatus status, ReplicationStatus.Mirror mirror) {
            SyncView sync = mirror.isSynchronising()
                    ? new SyncView(
                            Math.max(0, status.held() - mirror.missing()),
                            status.held(),
                            mirror.bytesLeft(),
                            mirror.bytesPerSecond())
                    : null;
            return new MirrorProgress(mirror.missing(), sync, false, null);
        }
    }
}
