package io.leveret.admin.cluster;

/** No node took the request; nothing was changed. The message names the addresses tried and what was wrong with each. */
public final class BrokerUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BrokerUnavailableException(String message) {
        super(message);
    }
}
