package io.leveret.node.control;

import io.leveret.model.NodeName;
import io.leveret.model.VhostName;
import io.leveret.model.view.ChannelView;
import io.leveret.model.view.ConnectionView;
import io.leveret.model.view.ConsumerView;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.control.ClusterView.Selection;
import io.leveret.node.metrics.NodeReport;
import io.leveret.node.metrics.NodeReport.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Connections, channels and consumers of all nodes. */
final class ConnectionResource {
    private static final String CLOSING = "closing";
    private static final String DEFAULT_REASON = "Closed via management plugin";

    private final Resources resources;

    ConnectionResource(Resources resources) {
        this.resources = resources;
    }

    void addTo(Routes routes) {
        routes.add("GET", "connections", request -> Answer.of(connections()))
                .add("GET", "connections/{}", this::connection)
                .add("DELETE", "connections/{}", this::close)
                .add("GET", "connections/{}/channels", this::channelsOfConnection)
                .add("GET", "vhosts/{}/connections", this::connectionsOfVhost)
                .add("GET", "vhosts/{}/channels", this::channelsOfVhost)
                .add("GET", "channels", request -> Answer.of(channels(false)))
                .add("GET", "channels/{}", this::channel)
                .add("GET", "consumers", request -> Answer.of(consumers()))
                .add("GET", "consumers/{}", this::consumersOfVhost)
                .add("DELETE", "node/connections/{}", this::closeHere);
    }

    private List<ConnectionView> connections() {
        List<ConnectionView> list = new ArrayList<>();
        for (NodeReport report : resources.cluster().reports(Set.of(Part.CONNECTIONS), Selection.ALL)) {
            if (report.connections() != null) {
                list.addAll(report.connections());
            }
        }
        return list;
    }

    private ConnectionView find(String name) {
        return connections().stream()
                .filter(connection -> connection.name().equals(name))
                .findFirst()
                .orElseThrow(ControlRefusal::notFound);
    }

    private Answer connection(ControlRequest request) {
        return Answer.of(find(request.part(0)));
    }

    private Answer connectionsOfVhost(ControlRequest request) {
        resources.imageWith(request.vhost(0));
        return Answer.of(connections().stream()
                .filter(connection -> connection.vhost().equals(request.part(0)))
                .toList());
    }

    private Answer close(ControlRequest request) {
        ConnectionView connection = find(request.part(0));
        if (connection.state().equals(CLOSING)) {
            // Its client was told already.
            throw ControlRefusal.notFound();
        }
        String reason = request.headers().getOrDefault("x-reason", DEFAULT_REASON);
        ControlScope scope = resources.scope();
        if (connection.node().equals(scope.store().localNode().value())) {
            scope.connections().close(connection.name(), reason);
            return Answer.done();
        }
        return resources
                .cluster()
                .forward(
                        new NodeName(connection.node()),
                        "DELETE",
                        PeerControl.path("node", "connections", connection.name()) + "?reason="
                                + PeerControl.encoded(reason),
                        new byte[0]);
    }

    private Answer closeHere(ControlRequest request) {
        boolean isClosed = resources
                .scope()
                .connections()
                .close(request.part(0), request.query().getOrDefault("reason", DEFAULT_REASON));
        if (!isClosed) {
            throw ControlRefusal.notFound();
        }
        return Answer.done();
    }

    private List<ChannelView> channels(boolean withConsumers) {
        List<NodeReport> reports = resources
                .cluster()
                .reports(withConsumers ? Set.of(Part.CHANNELS, Part.DETAILS) : Set.of(Part.CHANNELS), Selection.ALL);
        List<ChannelView> list = new ArrayList<>();
        for (NodeReport report : reports) {
            if (report.channels() != null) {
                list.addAll(report.channels());
            }
        }
        if (!withConsumers) {
            return list;
        }
        List<ConsumerView> consumers =
                Consumers.of(reports, new QueueViews(resources.scope().store().cluster(), List.of()));
        return list.stream().map(channel -> withConsumers(channel, consumers)).toList();
    }

    private static ChannelView withConsumers(ChannelView channel, List<ConsumerView> consumers) {
        return new ChannelView(
                channel.name(),
                channel.number(),
                channel.node(),
                channel.vhost(),
                channel.user(),
                channel.openedBy(),
                channel.state(),
                channel.isConfirm(),
                channel.isTransactional(),
                channel.prefetch(),
                channel.globalPrefetch(),
                channel.consumers(),
                channel.unacked(),
                channel.unconfirmed(),
                channel.uncommitted(),
                channel.acksUncommitted(),
                channel.connection(),
                channel.idleSince(),
                channel.pendingRaftCommands(),
                channel.messageStats(),
                consumers.stream()
                        .filter(consumer -> consumer.channel().name().equals(channel.name()))
                        .toList(),
                channel.publishes());
    }

    private Answer channel(ControlRequest request) {
        return Answer.of(channels(true).stream()
                .filter(channel -> channel.name().equals(request.part(0)))
                .findFirst()
                .orElseThrow(ControlRefusal::notFound));
    }

    private Answer channelsOfConnection(ControlRequest request) {
        find(request.part(0));
        return Answer.of(channels(false).stream()
                .filter(channel -> channel.connection().name().equals(request.part(0)))
                .toList());
    }

    private Answer channelsOfVhost(ControlRequest request) {
        resources.imageWith(request.vhost(0));
        return Answer.of(channels(false).stream()
                .filter(channel -> channel.vhost().equals(request.part(0)))
                .toList());
    }

    private List<ConsumerView> consumers() {
        ClusterView cluster = resources.cluster();
        ClusterImage image = cluster.image();
        List<NodeReport> reports = cluster.reports(Set.of(Part.CHANNELS, Part.QUEUES), Selection.ALL);
        return Consumers.of(reports, new QueueViews(image, reports));
    }

    private Answer consumersOfVhost(ControlRequest request) {
        VhostName vhost = request.vhost(0);
        resources.imageWith(vhost);
        return Answer.of(consumers().stream()
                .filter(consumer -> consumer.queue().vhost().equals(vhost.value()))
                .toList());
    }
}
