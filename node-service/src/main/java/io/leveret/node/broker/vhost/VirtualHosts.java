package io.leveret.node.broker.vhost;

import io.leveret.model.VhostName;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The vhosts of the cluster, as this node knows them. Any thread. */
public final class VirtualHosts {
    /** Null when this node's metadata has no such vhost. The same object while the vhost exists. */
    public @Nullable VirtualHost find(VhostName name) {
        throw new UnsupportedOperationException();
    }

    /** As {@link #find}, after this node has caught up with the cluster once if it knows no such vhost. */
    public CompletionStage<@Nullable VirtualHost> lookUp(VhostName name) {
        throw new UnsupportedOperationException();
    }
}
