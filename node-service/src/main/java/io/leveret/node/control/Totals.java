package io.leveret.node.control;

import io.leveret.model.view.MessageStats;
import io.leveret.model.view.MessageStats.Count;
import io.leveret.model.view.MessageStats.Counter;
import io.leveret.node.metrics.QueueReport;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Sums of counters. */
final class Totals {
    private Totals() {}

    static MessageStats of(List<QueueReport> queues) {
        return sum(queues.stream().map(QueueReport::stats).toList());
    }

    /** What queues have seen; confirms and returns are known to channels alone. */
    static MessageStats both(List<QueueReport> queues, List<MessageStats> channels) {
        Map<Counter, Count> counts = new EnumMap<>(Counter.class);
        counts.putAll(of(queues).counts());
        MessageStats ofChannels = sum(channels);
        for (Counter counter :
                List.of(Counter.CONFIRM, Counter.RETURN_UNROUTABLE, Counter.DROP_UNROUTABLE, Counter.GET_EMPTY)) {
            Count count = ofChannels.counts().get(counter);
            if (count != null) {
                counts.put(counter, count);
            }
        }
        return new MessageStats(counts);
    }

    static MessageStats sum(Collection<MessageStats> parts) {
        Map<Counter, Count> sums = new EnumMap<>(Counter.class);
        for (MessageStats part : parts) {
            part.counts()
                    .forEach((counter, count) -> sums.merge(
                            counter, count, (a, b) -> new Count(a.total() + b.total(), a.perSecond() + b.perSecond())));
        }
        return new MessageStats(sums);
    }
}
