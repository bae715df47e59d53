package io.leveret.node.metrics;

import io.leveret.model.ExchangeName;
import io.leveret.model.VhostName;
import io.leveret.model.view.MessageStats;
import io.leveret.model.view.MessageStats.Count;
import io.leveret.model.view.MessageStats.Counter;
import io.leveret.node.amqp.server.ChannelStatistics;
import io.leveret.node.amqp.server.ConnectionRegistry;
import io.leveret.node.amqp.server.ConnectionRegistry.Published;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What went into exchanges: from the channels that are open, and from those that were. Any thread. */
final class ExchangeReports {
    private final ConnectionRegistry connections;
    private final Rates rates;

    ExchangeReports(ConnectionRegistry connections, Rates rates) {
        this.connections = connections;
        this.rates = rates;
    }

    List<ExchangeReport> reports(List<ChannelStatistics> channels) {
        Map<ExchangeName, Published> sums = new HashMap<>(connections.publishedBefore());
        for (ChannelStatistics channel : channels) {
            VhostName vhost = new VhostName(channel.vhost());
            for (ChannelStatistics.Exchange each : channel.exchanges()) {
                sums.merge(
                        new ExchangeName(vhost, each.exchange()),
                        new Published(each.publishIn(), each.publishOut()),
                        Published::plus);
            }
        }
        return sums.entrySet().stream()
                .map(entry -> report(entry.getKey(), entry.getValue()))
                .toList();
    }

    private ExchangeReport report(ExchangeName exchange, Published published) {
        Map<Counter, Count> counts = new EnumMap<>(Counter.class);
        String id = "exchange " + exchange;
        rates.count(counts, id, Counter.PUBLISH_IN, published.publishIn());
        rates.count(counts, id, Counter.PUBLISH_OUT, published.publishOut());
        return new ExchangeReport(exchange.vhost().value(), exchange.value(), new MessageStats(counts));
    }
}
