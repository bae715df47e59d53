package io.leveret.node.cluster.remote;

import io.leveret.node.broker.queue.Subscription.Settlement;

/**
 * What a subscription's origin says to one leader, from the opening to the end of that leadership, link or subscription.
 * Numbers count the deliveries of this line. Called on the subscriber's executor; does not wait. {@link ConsumerSession} hears
 * the other direction.
 */
interface ConsumerLine {
    /** Begins; the session hears opened, refused or notLeader. */
    void open();

    /** Asks which messages the deliveries are; the answers, a mark after what came before, and one before each delivery. */
    void identify();

    void settle(long from, long to, Settlement settlement);

    void giveBack(long number);

    void pause();

    void resume();

    void get(long request);

    /** No further deliveries; what is unsettled may still be settled. */
    void cancel();

    /** The end: what is unsettled is requeued. */
    void close();

    /** Whether somebody must tell the leader when the subscriber cannot take more. */
    boolean isRemote();
}
