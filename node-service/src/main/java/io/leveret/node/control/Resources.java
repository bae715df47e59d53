package io.leveret.node.control;

import io.leveret.model.VhostName;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.broker.vhost.VirtualHost;
import io.leveret.node.cluster.metadata.ClusterImage;

/** What the resources share: the scope of the running broker, and the ways to change what is declared. */
final class Resources {
    /** The words by which leveretctl knows that the process runs, but its broker does not. */
    static final String STOPPED = "the broker on this node is stopped";

    private final NodeControl node;
    private final PeerControl peers;

    Resources(NodeControl node, PeerControl peers) {
        this.node = node;
        this.peers = peers;
    }

    NodeControl node() {
        return node;
    }

    /** The running broker; refused as unavailable when there is none. */
    ControlScope scope() {
        ControlScope scope = node.scope();
        if (scope == null) {
            throw ControlRefusal.unavailable(STOPPED);
        }
        return scope;
    }

    ClusterView cluster() {
        return new ClusterView(scope(), peers);
    }

    /** A change that is not begun without a majority, so that the client may ask another node. */
    Outcome change(DefinitionChange change) {
        return Waiting.agreed(writable().store().submit(change));
    }

    /** As {@link #change}, answered as created or done. */
    Answer put(DefinitionChange change) {
        return Answer.createdOrDone(change(change).kind() == Outcome.Kind.CREATED);
    }

    ControlScope writable() {
        ControlScope scope = scope();
        if (!scope.store().hasMajority()) {
            throw ControlRefusal.unavailable("this node has no majority of the cluster with it");
        }
        return scope;
    }

    VirtualHost vhost(VhostName name) {
        VirtualHost vhost = Waiting.on(writable().vhosts().lookUp(name));
        if (vhost == null) {
            throw ControlRefusal.noVhost();
        }
        return vhost;
    }

    /** The image, when it has the vhost. */
    ClusterImage imageWith(VhostName vhost) {
        ClusterImage image = cluster().image();
        if (image.definitions().vhost(vhost) == null) {
            throw ControlRefusal.notFound();
        }
        return image;
    }
}
