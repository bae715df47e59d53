package io.leveret.node.broker.queue;

/**
 * A consumer at its queue's leader. Unlike the origin's side of a subscription, whose methods are called on the subscriber's
 * executor, this one belongs to the queue's executor: whoever is elsewhere hands the call over, in order with its publishes.
 */
public interface LeaderSubscription extends Subscription {
    /** Whether {@link Subscription#cancel} or close has not been called. */
    boolean isOpen();

    /** Deliveries that are not settled. */
    int unsettled();
}
