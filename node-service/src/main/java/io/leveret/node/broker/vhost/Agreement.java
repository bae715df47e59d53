package io.leveret.node.broker.vhost;

import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.Definitions;
import io.leveret.node.broker.definitions.DefinitionsUnavailableException;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.broker.definitions.Outcome.RefusalKind;
import io.leveret.node.broker.queue.QueueUnavailableException;
import io.leveret.node.broker.vhost.BrokerException.Kind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Asks the cluster for changes, and turns its refusals and faults into those of the broker. */
final class Agreement {
    private final Definitions definitions;

    Agreement(Definitions definitions) {
        this.definitions = definitions;
    }

    /** The outcome of a change that was not refused; else the stage fails with a {@link BrokerException}. */
    CompletionStage<Outcome> on(DefinitionChange change) {
        return definitions
                .submit(change)
                .thenApply(outcome -> {
                    if (outcome.isRefused()) {
                        throw refusal(outcome.requireRefusal());
                    }
                    return outcome;
                })
                .exceptionallyCompose(fault -> failed(asRefusal(fault)));
    }

    static BrokerException refusal(Outcome.Refusal refusal) {
        return new BrokerException(kind(refusal.kind()), refusal.reason());
    }

    private static Kind kind(RefusalKind kind) {
        return switch (kind) {
            case NOT_FOUND -> Kind.NOT_FOUND;
            case PRECONDITION_FAILED -> Kind.PRECONDITION_FAILED;
            case ACCESS_REFUSED -> Kind.ACCESS_REFUSED;
            case RESOURCE_LOCKED -> Kind.RESOURCE_LOCKED;
            case STALE -> Kind.INTERNAL_ERROR;
            case UNAVAILABLE -> Kind.RESOURCE_ERROR;
        };
    }

    /** What a client is told about a fault: faults of operation are refusals, all else is left as it is. */
    static Throwable asRefusal(Throwable fault) {
        Throwable cause = fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
        if (cause instanceof QueueUnavailableException) {
            return new BrokerException(Kind.NOT_FOUND, String.valueOf(cause.getMessage()));
        }
        if (cause instanceof DefinitionsUnavailableException) {
            return new BrokerException(Kind.INTERNAL_ERROR, String.valueOf(cause.getMessage()));
        }
        return cause;
    }

    static <T> CompletionStage<T> failed(Throwable fault) {
        return CompletableFuture.failedFuture(fault);
    }

    static <T> CompletionStage<T> refused(Kind kind, String reason) {
        return failed(new BrokerException(kind, reason));
    }
}
