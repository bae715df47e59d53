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
    QueueStatistics statistics(
            QueueCounts counts, LiveMessages live, long deadLettering, long usedAtMillis, Consumers consumers) {
        return new QueueStatistics(
                counts.ready(),
                counts.unacked(),
                live.readyBytes(),
                live.bytes() - live.readyBytes(),
                live.residentCount(),
                live.residentBytes(),
                live.persistentCount(),
                deadLettering,
                live.persistentBytes(),
                published,
                delivered,
                deliveredNoAck,
                got,
                gotNoAck,
                acked,
                redelivered,
                usedAtMillis,
                live.headTimestamp(),
                counts.ready() == 0 || consumers.scheduler().hasNext(),
                consumers.statistics());
    }

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
