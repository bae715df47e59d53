package io.leveret.node.metrics;

import io.leveret.model.view.ChannelView;
import io.leveret.model.view.ConnectionReference;
import io.leveret.model.view.ConsumerView;
import io.leveret.model.view.MessageStats;
import io.leveret.model.view.MessageStats.Count;
import io.leveret.model.view.MessageStats.Counter;
import io.leveret.node.amqp.server.ChannelStatistics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What channels count, and their consumers, as the views show them. Any thread. */
final class ChannelReports {
    private final String node;
    private final Rates rates;

    ChannelReports(String node, Rates rates) {
        this.node = node;
        this.rates = rates;
    }

    /** @param isDetailed whether to say what is published where */
    ChannelView view(ChannelStatistics channel, boolean isDetailed) {
        return new ChannelView(
                channel.name(),
                channel.number(),
                node,
                channel.vhost(),
                channel.user(),
                channel.user(),
                channel.state(),
                channel.isConfirm(),
                channel.isTransactional(),
                channel.prefetch(),
                channel.globalPrefetch(),
                channel.consumers().size(),
                channel.unacked(),
                channel.unconfirmed(),
                channel.uncommitted(),
                channel.uncommittedAcks(),
                new ConnectionReference(channel.connectionName(), channel.peerHost(), channel.peerPort()),
                LocalFigures.TIMES.format(Instant.ofEpochMilli(channel.idleSinceMillis())),
                0,
                channelStats(channel),
                null,
                isDetailed ? publishes(channel) : null);
    }

    private List<ChannelView.Publishing> publishes(ChannelStatistics channel) {
        List<ChannelView.Publishing> list = new ArrayList<>();
        for (ChannelStatistics.Exchange each : channel.exchanges()) {
            Map<Counter, Count> counts = new EnumMap<>(Counter.class);
            rates.count(counts, channel.name() + " to " + each.exchange(), Counter.PUBLISH, each.publishIn());
            list.add(new ChannelView.Publishing(
                    new ChannelView.ExchangeReference(each.exchange(), channel.vhost()), new MessageStats(counts)));
        }
        return list;
    }

    private MessageStats channelStats(ChannelStatistics channel) {
        ChannelStatistics.Counters counters = channel.counters();
        Map<Counter, Count> counts = new EnumMap<>(Counter.class);
        String id = channel.name();
        if (counters.published() > 0) {
            rates.count(counts, id, Counter.PUBLISH, counters.published());
            rates.count(counts, id, Counter.CONFIRM, counters.confirmed());
            rates.count(counts, id, Counter.RETURN_UNROUTABLE, counters.returnedUnroutable());
            rates.count(counts, id, Counter.DROP_UNROUTABLE, counters.droppedUnroutable());
        }
        long given = counters.delivered() + counters.deliveredNoAck() + counters.got() + counters.gotNoAck();
        if (given + counters.gotEmpty() > 0) {
            rates.count(counts, id, Counter.ACK, counters.acked());
            rates.count(counts, id, Counter.DELIVER, counters.delivered());
            rates.count(counts, id, Counter.DELIVER_NO_ACK, counters.deliveredNoAck());
            rates.count(counts, id, Counter.GET, counters.got());
            rates.count(counts, id, Counter.GET_NO_ACK, counters.gotNoAck());
            rates.count(counts, id, Counter.GET_EMPTY, counters.gotEmpty());
            rates.count(counts, id, Counter.DELIVER_GET, given);
            rates.count(counts, id, Counter.REDELIVER, counters.redelivered());
        }
        return new MessageStats(counts);
    }

    List<ConsumerReport> consumers(ChannelStatistics channel) {
        return channel.consumers().stream()
                .map(consumer -> new ConsumerReport(
                        consumer.consumerId(),
                        new ConsumerView(
                                consumer.consumerTag(),
                                new ConsumerView.QueueReference(
                                        consumer.queue().value(),
                                        consumer.queue().vhost().value()),
                                new ConsumerView.ChannelReference(
                                        channel.name(),
                                        channel.number(),
                                        node,
                                        channel.user(),
                                        channel.connectionName(),
                                        channel.peerHost(),
                                        channel.peerPort()),
                                !consumer.isNoAck(),
                                consumer.isExclusive(),
                                true,
                                "up",
                                consumer.prefetch(),
                                LocalFigures.withoutNulls(consumer.arguments()))))
                .toList();
    }
}
