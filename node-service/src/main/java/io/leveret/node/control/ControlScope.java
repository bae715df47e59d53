package io.leveret.node.control;

import io.leveret.model.NodeName;
import io.leveret.model.view.ListenerView;
import io.leveret.node.broker.auth.Authenticator;
import io.leveret.node.broker.auth.Permissions;
import io.leveret.node.broker.vhost.QueueDirectory;
import io.leveret.node.broker.vhost.VirtualHosts;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.MetadataStore;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.metrics.LocalFigures;
import io.leveret.node.runtime.Randomness;
import io.leveret.node.runtime.SerialExecutor;
import java.util.List;
import java.util.Map;

/**
 * What the control API works with while the broker of this node runs.
 *
 * @param controlAddresses where the other nodes answer, as host:port
 * @param version of the product
 * @param listeners the ports of this node
 * @param certificates of its listener with TLS
 */
public record ControlScope(
        MetadataStore store,
        VirtualHosts vhosts,
        QueueDirectory queues,
        Authenticator authenticator,
        Permissions permissions,
        LocalFigures figures,
        LocalReplicas replicas,
        Thresholds thresholds,
        Connections connections,
        Planner planner,
        Map<NodeName, String> controlAddresses,
        List<ListenerView> listeners,
        ListenerCertificates.Source certificates,
        String version,
        Randomness randomness,
        SerialExecutor executor) {

    /** The client connections of this node. */
    @FunctionalInterface
    public interface Connections {
        /** Closes one connection with 320. @return false when there is none of that name */
        boolean close(String name, String reason);
    }

    /** When this node raises alarms. */
    public interface Thresholds {
        /** As a part of the machine's memory. */
        void memoryFraction(double fraction);

        void memoryBytes(long bytes);

        /** Free space below which the disk is low. */
        void diskBytes(long bytes);

        /** As a part, or a multiple, of the machine's memory. */
        void diskFraction(double fraction);
    }

    /** The planner that places queues. */
    public interface Planner {
        /** Spreads leaders evenly; begins now, goes on by itself. */
        void rebalance();

        /** Which nodes should hold a queue, the leader first, if this were the cluster. */
        List<NodeName> target(ClusterImage image, QueuePlacement queue);
    }
}
