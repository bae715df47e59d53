package io.leveret.node.control;

import io.leveret.model.view.ChannelView;
import io.leveret.model.view.MessageStats;
import io.leveret.model.view.MessageStats.Count;
import io.leveret.model.view.MessageStats.Counter;
import io.leveret.model.view.OverviewView.QueueTotals;
import io.leveret.model.view.QueueFigures;
import io.leveret.model.view.Rate;
import io.leveret.node.metrics.NodeReport;
import io.leveret.node.metrics.NodeTotals;
import io.leveret.node.metrics.QueueReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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

    /** The report with sums in place of its lists. */
    static NodeReport summed(NodeReport report) {
        List<QueueReport> queues = report.queues() == null ? List.of() : report.queues();
        List<ChannelView> channels = report.channels() == null ? List.of() : report.channels();
        List<MessageStats> stats = new ArrayList<>();
        channels.forEach(channel -> {
            if (channel.messageStats() != null) {
                stats.add(channel.messageStats());
            }
        });
        NodeTotals totals = new NodeTotals(
                totals(queues),
                both(queues, stats),
                report.connections() == null ? 0 : report.connections().size(),
                channels.size(),
                report.consumers() == null ? 0 : report.consumers().size());
        return new NodeReport(
                report.node(),
                null,
                null,
                null,
                null,
                null,
                report.figures(),
                report.churn(),
                report.counters(),
                report.memory(),
                null,
                report.version(),
                report.isPaused(),
                totals);
    }

    /** All nodes together. */
    static NodeTotals sum(List<NodeReport> reports) {
        NodeTotals sum = new NodeTotals(totals(List.of()), new MessageStats(Map.of()), 0, 0, 0);
        for (NodeReport report : reports) {
            NodeTotals each = report.totals();
            if (each != null) {
                sum = new NodeTotals(
                        plus(sum.queues(), each.queues()),
                        sum(List.of(sum.stats(), each.stats())),
                        sum.connections() + each.connections(),
                        sum.channels() + each.channels(),
                        sum.consumers() + each.consumers());
            }
        }
        return sum;
    }

    private static QueueTotals plus(QueueTotals a, QueueTotals b) {
        return new QueueTotals(
                a.messages() + b.messages(),
                new Rate(a.messagesRate().rate() + b.messagesRate().rate()),
                a.ready() + b.ready(),
                new Rate(a.readyRate().rate() + b.readyRate().rate()),
                a.unacked() + b.unacked(),
                new Rate(a.unackedRate().rate() + b.unackedRate().rate()));
    }

    /** The messages of queues. */
    static QueueTotals totals(List<QueueReport> queues) {
        List<QueueFigures> figures = queues.stream().map(QueueReport::figures).toList();
        return new QueueTotals(
                sum(figures, QueueFigures::messages),
                rate(figures, QueueFigures::messagesRate),
                sum(figures, QueueFigures::ready),
                rate(figures, QueueFigures::readyRate),
                sum(figures, QueueFigures::unacked),
                rate(figures, QueueFigures::unackedRate));
    }

    /** What is not counted counts as 0. */
    static <T> long sum(List<T> objects, Function<T, @Nullable Long> figure) {
        long sum = 0;
        for (T object : objects) {
            Long value = figure.apply(object);
            sum += value == null ? 0 : value;
        }
        return sum;
    }

    /** As {@link #sum(List, Function)}, per second. */
    static <T> Rate rate(List<T> objects, Function<T, @Nullable Rate> figure) {
        double sum = 0;
        for (T object : objects) {
            Rate value = figure.apply(object);
            sum += value == null ? 0 : value.rate();
        }
        return new Rate(sum);
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
