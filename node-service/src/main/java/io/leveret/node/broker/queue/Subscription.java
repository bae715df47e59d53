package io.leveret.node.broker.queue;

import java.util.concurrent.CompletionStage;

/** What a consumer tells its queue. Called on the subscriber's executor. */
public interface Subscription {
    /**
     * Settles the deliveries from..to (inclusive, numbers of this subscription). Numbers that were settled already, or were
     * delivered by an earlier leader, are ignored: their messages are delivered again or are already gone.
     */
    void settle(long from, long to, Settlement settlement);

    /** Hands back a delivery that was never shown to the client: its place is kept and it is not marked redelivered. */
    void giveBack(long number);

    /**
     * From now on this side knows which message each delivery is, so that its verdict can outlive the leader
     * ({@link QueueHandle#settle}). For channels that are transactional: others do without.
     *
     * @return completes when all deliveries that came before are known, or can never be
     */
    CompletionStage<Void> identify();

    /**
     * Adds the ids of the unsettled deliveries from..to (inclusive, numbers of this subscription).
     *
     * @return how many of them are known
     */
    int identified(long from, long to, IdRuns.Builder ids);

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
