package io.leveret.node.broker.vhost;

import io.leveret.model.QueueName;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Which exclusive queues each connection of this node declared, so that they can be deleted when it is gone without looking at
 * all queues. A name is noted before the cluster is asked, so that no answer that comes late, or never, is forgotten. Any
 * thread.
 */
final class ExclusiveQueues {
    private final ConcurrentMap<String, Owned> byOwner = new ConcurrentHashMap<>();

    /** Notes a queue that is about to be declared. */
    void declaring(String owner, QueueName queue, CompletionStage<?> done) {
        byOwner.compute(owner, (key, known) -> {
            Owned owned = known == null ? new Owned(ConcurrentHashMap.newKeySet(), nothing()) : known;
            owned.names.add(queue);
            CompletableFuture<Void> both =
                    owned.pending.thenCombine(done.handle((result, fault) -> result), (a, b) -> null);
            return new Owned(owned.names, both);
        });
    }

    /** The queue was deleted. */
    void deleted(String owner, QueueName queue) {
        byOwner.computeIfPresent(owner, (key, owned) -> {
            owned.names.remove(queue);
            return owned.names.isEmpty() ? null : owned;
        });
    }

    /** Forgets the owner; completes with its queues when nothing that it declared is still being decided. */
    CompletionStage<Set<QueueName>> remove(String owner) {
        Owned owned = byOwner.remove(owner);
        return owned == null
                ? CompletableFuture.completedFuture(Set.of())
                : owned.pending.thenApply(nothing -> Set.copyOf(owned.names));
    }

    private static CompletableFuture<Void> nothing() {
        return CompletableFuture.completedFuture(null);
    }

    /** The queues of one owner, and what completes when the last declare is decided. */
    private record Owned(Set<QueueName> names, CompletableFuture<Void> pending) {}
}
