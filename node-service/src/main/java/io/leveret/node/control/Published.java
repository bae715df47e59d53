package io.leveret.node.control;

import io.leveret.model.ExchangeName;
import io.leveret.model.view.ChannelView;
import io.leveret.model.view.ConsumerView;
import io.leveret.model.view.ExchangeView;
import io.leveret.model.view.MessageStats;
import io.leveret.node.metrics.ExchangeReport;
import io.leveret.node.metrics.NodeReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was published to which exchange, by what the nodes report. */
final class Published {
    private final List<NodeReport> reports;
    private final Map<ExchangeName, MessageStats> byExchange = new HashMap<>();

    Published(List<NodeReport> reports) {
        this.reports = reports;
        for (NodeReport node : reports) {
            if (node.exchanges() != null) {
                for (ExchangeReport each : node.exchanges()) {
                    byExchange.merge(
                            ExchangeName.of(each.vhost(), each.name()),
                            each.stats(),
                            (a, b) -> Totals.sum(List.of(a, b)));
                }
            }
        }
    }

    /** Null when nothing was. */
    @Nullable
    MessageStats stats(ExchangeName exchange) {
        return byExchange.get(exchange);
    }

    /** Channel by channel; of those that are open. */
    List<ExchangeView.Incoming> incoming(ExchangeName exchange) {
        List<ExchangeView.Incoming> list = new ArrayList<>();
        for (NodeReport node : reports) {
            if (node.channels() != null) {
                node.channels().forEach(channel -> add(list, exchange, channel));
            }
        }
        return list;
    }

    private static void add(List<ExchangeView.Incoming> list, ExchangeName exchange, ChannelView channel) {
        List<ChannelView.Publishing> publishes = channel.publishes();
        if (publishes == null || !channel.vhost().equals(exchange.vhost().value())) {
            return;
        }
        for (ChannelView.Publishing each : publishes) {
            if (each.exchange().name().equals(exchange.value())) {
                list.add(new ExchangeView.Incoming(
                        new ConsumerView.ChannelReference(
                                channel.name(),
                                channel.number(),
                                channel.node(),
                                channel.user(),
                                channel.connection().name(),
                                channel.connection().peerHost(),
                                channel.connection().peerPort()),
                        each.stats()));
            }
        }
    }
}
