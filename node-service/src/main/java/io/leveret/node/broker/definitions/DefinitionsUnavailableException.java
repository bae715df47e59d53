package io.leveret.node.broker.definitions;

/** The cluster did not agree in time; whether it still will is unknown. An operating fault: the caller tells its client. */
public final class DefinitionsUnavailableException extends RuntimeException {
    public DefinitionsUnavailableException(String reason) {
        super(reason);
    }

    public DefinitionsUnavailableException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
