package io.leveret.node.amqp.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one channel has published to which exchange. Plain numbers, written and read on the connection's loop. The exchange of
 * the last publish is found without a look-up.
 */
final class ExchangeCounts {
    /** Exchanges counted by one channel; what is published to further ones is counted by the channel alone. */
    private static final int EXCHANGES_MAX = 1024;

    private final Map<String, Count> counts = new HashMap<>();
    private @Nullable Count last;

    private static final class Count {
        final String exchange;
        long in;
        long out;

        Count(String exchange) {
            this.exchange = exchange;
        }
    }

    /** @param queues how many queues took the message */
    void published(String exchange, int queues) {
        Count count = last;
        if (count == null || !count.exchange.equals(exchange)) {
            count = find(exchange);
        }
        if (count != null) {
            last = count;
            count.in++;
            count.out += queues;
        }
    }

    private @Nullable Count find(String exchange) {
        Count known = counts.get(exchange);
        if (known == null && counts.size() < EXCHANGES_MAX) {
            known = new Count(exchange);
            counts.put(exchange, known);
        }
        return known;
    }

    List<ChannelStatistics.Exchange> snapshot() {
        List<ChannelStatistics.Exchange> list = new ArrayList<>(counts.size());
        counts.values().forEach(each -> list.add(new ChannelStatistics.Exchange(each.exchange, each.in, each.out)));
        return list;
    }
}
