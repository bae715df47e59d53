package io.leveret.node.broker.queue;

/** Counts of one leadership, for statistics. Plain fields of the queue's owner. */
final class QueueCounters {
    long published;
    long delivered;
    long deliveredNoAck;
    long got;
    long gotNoAck;
    long acked;
    long redelivered;

    /** A delivery went out. */
    void delivered(SubscriptionOptions options, boolean isRedelivered) {
        if (options.isPassive()) {
            if (options.isNoAck()) {
                gotNoAck++;
            } else {
                got++;
            }
        } else if (options.isNoAck()) {
            deliveredNoAck++;
        } else {
            delivered++;
        }
        redelivered += isRedelivered ? 1 : 0;
    }
}
