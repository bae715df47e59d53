package io.leveret.node.broker.vhost;

import io.leveret.model.VhostName;
import io.leveret.node.broker.definitions.Definitions;
import io.leveret.node.runtime.Randomness;
import io.leveret.node.runtime.SerialExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The vhosts of the cluster, as this node knows them. Any thread. */
public final class VirtualHosts {
    private final Services services;
    private final LongAdder declares = new LongAdder();
    private final ConcurrentMap<VhostName, VirtualHost> known = new ConcurrentHashMap<>();

    public VirtualHosts(Services services) {
        this.services = services;
    }

    /**
     * What vhosts work with.
     *
     * @param timers runs what is tried again later
     */
    public record Services(
            Definitions definitions, QueueDirectory queues, SerialExecutor timers, Randomness randomness) {}

    /** How often clients of this node have declared a queue, whether it was there or not. */
    public long queueDeclares() {
        return declares.sum();
    }

    /** Null when this node's metadata has no such vhost. The same object while the vhost exists. */
    public @Nullable VirtualHost find(VhostName name) {
        if (services.definitions().image().vhost(name) == null) {
            known.remove(name);
            return null;
        }
        return known.computeIfAbsent(name, key -> new VirtualHost(key, services, declares));
    }

    /** As {@link #find}, after this node has caught up with the cluster once if it knows no such vhost. */
    public CompletionStage<@Nullable VirtualHost> lookUp(VhostName name) {
        VirtualHost found = find(name);
        return found != null
                ? CompletableFuture.completedFuture(found)
                : services.definitions().upToDate().thenApply(image -> find(name));
    }
}
