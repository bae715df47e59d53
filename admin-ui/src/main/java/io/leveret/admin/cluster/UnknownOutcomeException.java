package io.leveret.admin.cluster;

/** A change was sent and no answer came back: it may have been carried out or not, now or in a moment. */
public final class UnknownOutcomeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnknownOutcomeException(String message) {
        super(message);
    }
}
