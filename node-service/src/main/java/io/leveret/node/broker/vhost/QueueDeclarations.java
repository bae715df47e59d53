package io.leveret.node.broker.vhost;

import static io.leveret.node.broker.vhost.Agreement.failed;
import static io.leveret.node.broker.vhost.Agreement.refused;

import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.DefinitionsImage;
import io.leveret.node.broker.definitions.Equivalence;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.broker.definitions.QueueOwner;
import io.leveret.node.broker.queue.QueueCounts;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.vhost.BrokerException.Kind;
import io.leveret.node.broker.vhost.VirtualHosts.Services;
import io.leveret.node.runtime.Cancellable;
import java.util.Collections;
import java.util.HashMap;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Declares, deletes and opens the queues of one vhost. Any thread. */
final class QueueDeclarations {
    private static final QueueCounts NOTHING = new QueueCounts(0, 0, 0);
    /** A queue whose connection is gone is in nobody's way: no hurry. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long COUNTS_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);
    /** Each but the first follows a delete in the middle of a declare. */
    private static final int DECLARES_MAX = 4;

    private final VhostName vhost;
    private final Services services;
    private final Agreement agreement;
    private final ExclusiveQueues exclusive = new ExclusiveQueues();

    QueueDeclarations(VhostName vhost, Services services, Agreement agreement) {
        this.vhost = vhost;
        this.services = services;
        this.agreement = agreement;
    }

    CompletionStage<DeclaredQueue> declare(QueueDeclaration asked, String owner) {
        return declare(asked, owner, DECLARES_MAX);
    }

    /** A queue that goes while its counts are asked for, as a transient one does with its node, is declared anew. */
    private CompletionStage<DeclaredQueue> declare(QueueDeclaration asked, String owner, int left) {
        return declareOnce(asked, owner)
                .exceptionallyCompose(fault -> left > 1 && isNotFound(fault) && !isKnown(asked)
                        ? declare(asked, owner, left - 1)
                        : failed(Agreement.asRefusal(fault)));
    }

    private boolean isKnown(QueueDeclaration asked) {
        QueueName name = new QueueName(vhost, Names.withoutLineBreaks(asked.name()));
        return services.definitions().image().queue(name) != null;
    }

    private CompletionStage<DeclaredQueue> declareOnce(QueueDeclaration asked, String owner) {
        QueueName name = new QueueName(vhost, Names.withoutLineBreaks(asked.name()));
        if (Names.isReserved(name.value()) && !asked.isServerNamed()) {
            return refused(Kind.ACCESS_REFUSED, "queue name '" + name.value() + "' contains reserved prefix 'amq.*'");
        }
        QueueOwner holder = asked.isExclusive() ? owner(owner) : null;
        if (asked.isExclusive() && holder == null) {
            return refused(Kind.PRECONDITION_FAILED, "only a connection can declare an exclusive queue");
        }
        QueueDefinition queue = new QueueDefinition(
                name,
                asked.isDurable() && !asked.isExclusive(), // it goes with its connection, whatever was asked
                asked.isExclusive(),
                asked.isAutoDelete(),
                Collections.unmodifiableMap(new HashMap<>(asked.arguments())));
        DefinitionsImage image = services.definitions().image();
        QueueDefinition current = image.queue(name);
        if (current != null) {
            return declareAgain(current, queue, Objects.equals(image.owner(name), holder));
        }
        Optional<String> fault = QueueArguments.fault(queue);
        if (fault.isPresent()) {
            return refused(Kind.PRECONDITION_FAILED, fault.get());
        }
        CompletionStage<Outcome> agreed = agreement.on(new DefinitionChange.DeclareQueue(queue, holder));
        if (holder != null) {
            exclusive.declaring(owner, name, agreed);
        }
        return agreed.thenCompose(outcome -> outcome.kind() == Outcome.Kind.CREATED
                ? services.queues().ready(name).thenApply(nothing -> new DeclaredQueue(name, NOTHING))
                : counted(name));
    }

    private CompletionStage<DeclaredQueue> declareAgain(
            QueueDefinition current, QueueDefinition asked, boolean isSameOwner) {
        if (!isSameOwner) {
            return locked(current.name());
        }
        String difference = Equivalence.difference(current, asked);
        return difference == null ? counted(current.name()) : refused(Kind.PRECONDITION_FAILED, difference);
    }

    CompletionStage<DeclaredQueue> inspect(QueueName name, String owner) {
        return open(name, owner)
                .thenCompose(QueueHandle::counts)
                .thenApply(counts -> new DeclaredQueue(name, counts))
                .exceptionallyCompose(fault -> failed(Agreement.asRefusal(fault)));
    }

    private CompletionStage<DeclaredQueue> counted(QueueName name) {
        return inspectAnyway(name).thenApply(counts -> new DeclaredQueue(name, counts));
    }

    private CompletionStage<QueueCounts> inspectAnyway(QueueName name) {
        QueueHandle handle = services.queues().find(name);
        return handle == null
                ? noQueue(name)
                : handle.counts().exceptionallyCompose(fault -> failed(Agreement.asRefusal(fault)));
    }

    CompletionStage<Long> delete(QueueName name, boolean isIfUnused, boolean isIfEmpty, String owner) {
        return known(name).thenCompose(image -> {
            if (image.queue(name) == null) {
                return CompletableFuture.completedFuture(0L);
            }
            if (isLocked(image, name, owner)) {
                return locked(name);
            }
            return countsBeforeDelete(name, isIfUnused || isIfEmpty)
                    .thenCompose(counts -> deleteCounted(name, counts, isIfUnused, isIfEmpty, owner));
        });
    }

    private CompletionStage<Long> deleteCounted(
            QueueName name, QueueCounts counts, boolean isIfUnused, boolean isIfEmpty, String owner) {
        if (isIfEmpty && counts.ready() > 0) {
            return refused(Kind.PRECONDITION_FAILED, "queue " + name + " not empty");
        }
        if (isIfUnused && counts.consumers() > 0) {
            return refused(Kind.PRECONDITION_FAILED, "queue " + name + " in use");
        }
        return agreement
                .on(new DefinitionChange.DeleteQueue(name))
                .thenApply(outcome -> {
                    exclusive.deleted(owner, name);
                    return counts.ready();
                })
                .exceptionallyCompose(fault ->
                        isNotFound(fault) ? CompletableFuture.completedFuture(0L) : failed(Agreement.asRefusal(fault)));
    }

    /** A queue without a leader can be deleted, but not on conditions. */
    private CompletionStage<QueueCounts> countsBeforeDelete(QueueName name, boolean isConditional) {
        CompletableFuture<QueueCounts> counts = inspectAnyway(name).toCompletableFuture();
        if (!isConditional) {
            // The counts are only told: a leader that may never come is not waited for.
            Cancellable limit = services.timers().schedule(() -> counts.complete(NOTHING), COUNTS_NANOS_MAX);
            counts.whenComplete((known, fault) -> limit.cancel());
        }
        return counts.exceptionallyCompose(fault -> {
            if (!isNotFound(fault)) {
                return failed(Agreement.asRefusal(fault));
            }
            return isConditional
                    ? refused(
                            Kind.PRECONDITION_FAILED,
                            "queue " + name + " has no leader: whether it is empty or used is not known")
                    : CompletableFuture.completedFuture(NOTHING);
        });
    }

    CompletionStage<QueueHandle> open(QueueName name, String owner) {
        return known(name).thenCompose(image -> {
            if (image.queue(name) != null && isLocked(image, name, owner)) {
                return locked(name);
            }
            QueueHandle handle = services.queues().find(name);
            return handle == null ? noQueue(name) : CompletableFuture.completedFuture(handle);
        });
    }

    @Nullable
    QueueHandle find(QueueName name, String owner) {
        return isLocked(services.definitions().image(), name, owner)
                ? null
                : services.queues().find(name);
    }

    /** Fails when the queue exists and belongs to another connection. */
    CompletionStage<Void> checkAccess(QueueName name, String owner) {
        return isLocked(services.definitions().image(), name, owner)
                ? locked(name)
                : CompletableFuture.completedFuture(null);
    }

    CompletionStage<Void> closeOwner(String owner) {
        return exclusive
                .remove(owner)
                .thenCompose(names -> CompletableFuture.allOf(
                        names.stream().map(name -> deleteOrphan(name, owner)).toArray(CompletableFuture<?>[]::new)));
    }

    private CompletableFuture<?> deleteOrphan(QueueName name, String owner) {
        // A declare whose answer never came may still have been agreed: look at what is agreed now.
        return services.definitions()
                .upToDate()
                .thenCompose(image -> Objects.equals(image.owner(name), owner(owner)) && image.owner(name) != null
                        ? agreement.on(new DefinitionChange.DeleteQueue(name)).thenApply(outcome -> true)
                        : CompletableFuture.completedFuture(true))
                .exceptionallyCompose(fault -> {
                    if (isNotFound(fault)) {
                        return CompletableFuture.completedFuture(true);
                    }
                    CompletableFuture<Boolean> later = new CompletableFuture<>();
                    services.timers()
                            .schedule(() -> deleteOrphan(name, owner).thenRun(() -> later.complete(true)), RETRY_NANOS);
                    return later;
                })
                .toCompletableFuture();
    }

    /** The image, caught up with the cluster once if it lacks the queue. */
    private CompletionStage<DefinitionsImage> known(QueueName name) {
        DefinitionsImage image = services.definitions().image();
        return image.queue(name) != null
                ? CompletableFuture.completedFuture(image)
                : services.definitions().upToDate().exceptionallyCompose(fault -> failed(Agreement.asRefusal(fault)));
    }

    private static boolean isNotFound(Throwable fault) {
        return Agreement.asRefusal(fault) instanceof BrokerException refusal && refusal.kind() == Kind.NOT_FOUND;
    }

    private static boolean isLocked(DefinitionsImage image, QueueName name, String owner) {
        QueueOwner holder = image.owner(name);
        return holder != null && !holder.equals(owner(owner));
    }

    private static @Nullable QueueOwner owner(String owner) {
        return owner.isEmpty() ? null : QueueOwner.parse(owner);
    }

    private static <T> CompletionStage<T> locked(QueueName name) {
        return refused(
                Kind.RESOURCE_LOCKED,
                "cannot obtain exclusive access to locked queue " + name
                        + ". It could be originally declared on another connection or the exclusive property value does"
                        + " not match that of the original declaration.");
    }

    private static <T> CompletionStage<T> noQueue(QueueName name) {
        return refused(Kind.NOT_FOUND, "no queue " + name);
    }
}
