package io.leveret.node.broker.queue;

/** What a consumer tells its queue. Called on the subscriber's executor. */
public interface Subscription {
    /**
     * Settles the deliveries from..to (inclusive, numbers of this subscription). Numbers that were settled already, or were
     * delivered by an earlier leader, are ignored: their messages are delivered again or are already gone.
     */
    void settle(long from, long to, Settlement settlement);

    /** Hands back a delivery that was never shown to the client: its place is kept and it is not marked redelivered. */
    void giveBack(long number);

    /** No further deliveries until {@link #resume}; those on their way still come. */
    void pause();

    /** Deliveries may go on, or the socket is writable again. */
    void resume();

    /** Ends deliveries; what is unsettled may still be settled. */
    void cancel();

    /** Ends deliveries and requeues what is unsettled. */
    void close();

    /** The consumer's verdict. */
    enum Settlement {
        ACK,
        REQUEUE,
        /** Dead-letter or drop. */
        REJECT
    }
}
