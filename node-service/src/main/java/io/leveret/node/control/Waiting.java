package io.leveret.node.control;

import io.leveret.node.broker.auth.LoginsOverloadedException;
import io.leveret.node.broker.definitions.DefinitionsUnavailableException;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.broker.queue.QueueUnavailableException;
import io.leveret.node.broker.vhost.BrokerException;
import io.leveret.node.runtime.Interruption;
import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for stages on the threads of the HTTP server, and turns their faults into refusals. */
final class Waiting {
    private static final long SECONDS_MAX = 25;

    private Waiting() {}

    /** The result of something that changes nothing, or whose outcome does not matter when it is lost. */
    static <T> T on(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw refusal(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw ControlRefusal.unknownOutcome("no answer within " + SECONDS_MAX + " seconds");
        } catch (InterruptedException e) {
            Interruption.keep();
            throw ControlRefusal.unknownOutcome("this node is stopping");
        }
    }

    /** The outcome of a change that was not refused. */
    static Outcome agreed(CompletionStage<Outcome> stage) {
        return checked(on(stage));
    }

    /** An outcome that is no refusal. */
    static Outcome checked(Outcome outcome) {
        if (outcome.isRefused()) {
            throw refusal(outcome.requireRefusal());
        }
        return outcome;
    }

    private static ControlRefusal refusal(Outcome.Refusal refusal) {
        return switch (refusal.kind()) {
            case NOT_FOUND -> ControlRefusal.notFound();
            case ACCESS_REFUSED -> ControlRefusal.accessRefused();
            case STALE, UNAVAILABLE -> ControlRefusal.unavailable(refusal.reason());
            case PRECONDITION_FAILED, RESOURCE_LOCKED -> ControlRefusal.badRequest(refusal.reason());
        };
    }

    private static RuntimeException refusal(Throwable fault) {
        if (fault instanceof BrokerException refused) {
            return refusal(refused);
        }
        if (fault instanceof DefinitionsUnavailableException) {
            return ControlRefusal.unknownOutcome(String.valueOf(fault.getMessage()));
        }
        if (fault instanceof QueueUnavailableException) {
            return ControlRefusal.badRequest(String.valueOf(fault.getMessage()));
        }
        if (fault instanceof LoginsOverloadedException) {
            return ControlRefusal.unavailable(String.valueOf(fault.getMessage()));
        }
        if (fault instanceof ConnectException) {
            return ControlRefusal.unavailable("the node that could answer cannot be reached");
        }
        if (fault instanceof IOException) {
            return ControlRefusal.unknownOutcome("the node that could answer did not: " + fault);
        }
        return fault instanceof RuntimeException runtime ? runtime : new IllegalStateException(fault);
    }

    private static ControlRefusal refusal(BrokerException refused) {
        String reason = String.valueOf(refused.getMessage());
        return switch (refused.kind()) {
            case NOT_FOUND -> new ControlRefusal(404, "not_found", reason);
            case ACCESS_REFUSED -> ControlRefusal.accessRefused();
            case RESOURCE_ERROR -> ControlRefusal.unavailable(reason);
            case INTERNAL_ERROR -> ControlRefusal.unknownOutcome(reason);
            default -> ControlRefusal.badRequest(reason);
        };
    }
}
