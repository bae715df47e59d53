package io.leveret.node.amqp.server;

import io.leveret.model.ExchangeName;
import io.leveret.model.VhostName;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** What channels that are closed by now have published to which exchange. Any thread. */
final class ExchangeTotals {
    /** Exchanges remembered; what was published to further ones is forgotten with its channel. */
    private static final int EXCHANGES_MAX = 100_000;

    private final ConcurrentMap<ExchangeName, ConnectionRegistry.Published> totals = new ConcurrentHashMap<>();

    void add(VhostName vhost, List<ChannelStatistics.Exchange> counts) {
        for (ChannelStatistics.Exchange each : counts) {
            ExchangeName name = new ExchangeName(vhost, each.exchange());
            if (totals.size() < EXCHANGES_MAX || totals.containsKey(name)) {
                totals.merge(
                        name,
                        new ConnectionRegistry.Published(each.publishIn(), each.publishOut()),
                        ConnectionRegistry.Published::plus);
            }
        }
    }

    Map<ExchangeName, ConnectionRegistry.Published> all() {
        return Map.copyOf(totals);
    }
}
