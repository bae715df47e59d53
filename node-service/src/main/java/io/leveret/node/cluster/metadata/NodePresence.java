package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import io.leveret.node.broker.definitions.DefinitionsUnavailableException;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.broker.definitions.Outcome.RefusalKind;
import io.leveret.node.runtime.FaultHandler;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this node recorded as up while it is (PROTOCOL.md §3):
 *
 * <pre>
 * new --announce()--> announcing --(own NodeUp applied)--> up --(NodeDown of this boot applied)--> announcing
 *                                                          '--leave()--> leaving, and never up again
 * </pre>
 *
 * Unknown outcomes are tried again without end: a node that is not recorded as up is of no use, and the store's deadline paces
 * the attempts. Any thread.
 */
public final class NodePresence {
    private static final Logger LOG = LoggerFactory.getLogger(NodePresence.class);

    private final MetadataStore store;
    private final NodeIdentity identity;
    private final boolean isWitness;
    private final FaultHandler faults;
    private volatile boolean isUp;
    private volatile boolean isLeaving;

    public NodePresence(MetadataStore store, NodeIdentity identity, boolean isWitness, FaultHandler faults) {
        this.store = store;
        this.identity = identity;
        this.isWitness = isWitness;
        this.faults = faults;
        store.addListener(this::changed);
    }

    /**
     * Proposes this node's NodeUp until it is applied here.
     *
     * @param damaged incarnations of queues whose local replica is unusable
     */
    public CompletionStage<@Nullable Void> announce(Set<Long> damaged) {
        return propose(damaged).thenApply(done -> {
            isUp = true;
            // It may have been reported down between the two.
            changed(ClusterDelta.RELOAD, store.cluster());
            return null;
        });
    }

    /** Tells the cluster that this node stops in good order. The caller has stopped serving. */
    public CompletionStage<Outcome> leave() {
        isLeaving = true;
        return store.propose(new ClusterCommand.NodeLeaving(store.localNode(), identity.boot()));
    }

    private void changed(ClusterDelta delta, ClusterImage image) {
        NodeName self = store.localNode();
        if (!isUp || isLeaving || !(delta.isReload() || delta.nodes().contains(self))) {
            return;
        }
        ClusterNode node = image.node(self);
        if (node != null && !node.isLive() && node.boot() == identity.boot()) {
            LOG.warn("this node was reported down and is not: it comes back");
            isUp = false;
            announce(Set.of());
        }
    }

    private CompletionStage<@Nullable Void> propose(Set<Long> damaged) {
        ClusterCommand up = new ClusterCommand.NodeUp(
                store.localNode(), identity.boot(), identity.storeId(), isWitness, Set.copyOf(damaged));
        return store.propose(up)
                .handle((outcome, failure) -> {
                    if (failure == null) {
                        return settled(outcome, damaged);
                    }
                    return isUnknown(failure) && !isLeaving
                            ? propose(damaged)
                            : CompletableFuture.<@Nullable Void>failedFuture(failure);
                })
                .thenCompose(next -> next);
    }

    private static boolean isUnknown(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof DefinitionsUnavailableException;
    }

    private CompletionStage<@Nullable Void> settled(Outcome outcome, Set<Long> damaged) {
        ClusterNode node = store.cluster().node(store.localNode());
        boolean isRecorded = node != null
                && node.isLive()
                && node.boot() == identity.boot()
                && node.storeId().equals(identity.storeId());
        if (!outcome.isRefused() || isRecorded || node == null) {
            return CompletableFuture.completedFuture(null);
        }
        if (outcome.requireRefusal().kind() != RefusalKind.STALE) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException(outcome.requireRefusal().reason()));
        }
        // The data directory is new, and an earlier one of this node counted further.
        try {
            identity.raiseAbove(node.boot());
        } catch (IOException e) {
            faults.fatal("the boot of this node cannot be written", e);
            return CompletableFuture.failedFuture(e);
        }
        return propose(damaged);
    }
}
