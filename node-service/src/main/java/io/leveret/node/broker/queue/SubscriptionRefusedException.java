package io.leveret.node.broker.queue;

/** Exclusive use of the queue was asked for, or is held by another consumer. */
public final class SubscriptionRefusedException extends RuntimeException {
    public SubscriptionRefusedException(String reason) {
        super(reason);
    }
}
