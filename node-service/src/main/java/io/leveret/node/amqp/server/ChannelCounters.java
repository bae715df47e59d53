package io.leveret.node.amqp.server;

/** What one channel has done. Plain numbers, written and read on the connection's loop. */
final class ChannelCounters {
    long published;
    long confirmed;
    long returnedUnroutable;
    long droppedUnroutable;
    long delivered;
    long deliveredNoAck;
    long got;
    long gotNoAck;
    long gotEmpty;
    long acked;
    long redelivered;
    final ExchangeCounts exchanges = new ExchangeCounts();

    ChannelStatistics.Counters snapshot() {
        return new ChannelStatistics.Counters(
                published,
                confirmed,
                returnedUnroutable,
                droppedUnroutable,
                delivered,
                deliveredNoAck,
                got,
                gotNoAck,
                gotEmpty,
                acked,
                redelivered);
    }
}
