package io.leveret.node.cluster.replication;

import io.leveret.node.cluster.peer.PeerLink;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The links that the sessions of one replica are bound to, one for each other replica. Links end and begin on executors of
 * their own, so word of a new one may overtake the end of the former: to begin on a newer one, a session ends on the older.
 * Owned by the queue's executor.
 */
final class ReplicaLinks {
    private final Map<Integer, PeerLink> links = new HashMap<>();

    @Nullable
    PeerLink get(int node) {
        return links.get(node);
    }

    /** Takes a link whose sessions are about to begin. */
    void bind(PeerLink link, int node) {
        links.put(node, link);
    }

    /**
     * There is word of a link, or by it.
     *
     * @return false when the link was followed by another: what it brings is out of date
     */
    boolean use(PeerLink link, int node, IntConsumer lost, IntConsumer found) {
        PeerLink known = links.get(node);
        if (known != null && known.number() == link.number()) {
            return true;
        }
        if (known != null && known.number() > link.number()) {
            return false;
        }
        if (known != null) {
            lost.accept(node);
        }
        links.put(node, link);
        found.accept(node);
        return true;
    }

    /** The link ended. @return whether sessions were bound to it */
    boolean forget(PeerLink link, int node) {
        return links.remove(node, link);
    }
}
