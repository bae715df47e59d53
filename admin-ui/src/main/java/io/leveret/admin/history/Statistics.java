package io.leveret.admin.history;

import io.leveret.admin.cluster.BrokerQueries;
import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.BrokerUnavailableException;
import io.leveret.admin.cluster.ControlPath;
import io.leveret.model.view.MessageStats;
import io.leveret.model.view.OverviewView;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Lazy;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Measures the cluster's totals for the charts: every ten seconds for the last ten minutes, in memory; once a minute for the
 * last week, in the database. A moment without an answer is a gap, not a zero.
 */
@Component
@Lazy(false)
public class Statistics {
    private static final Logger LOG = LoggerFactory.getLogger(Statistics.class);
    private static final long EVERY_MILLIS = 10_000;
    private static final Duration RECENT = Duration.ofMinutes(10);
    private static final Duration KEPT_EVERY = Duration.ofMinutes(1);
    private static final Duration KEPT_FOR = Duration.ofDays(7);

    /** More points than a chart has pixels say no more. */
    private static final int POINTS_MAX = 200;

    private final BrokerQueries queries;
    private final StatisticsSamples samples;
    private final Clock clock;
    private final Deque<StatisticsSample.Sample> recent = new ArrayDeque<>();
    private Instant kept = Instant.EPOCH;

    Statistics(BrokerQueries queries, StatisticsSamples samples, Clock clock) {
        this.queries = queries;
        this.samples = samples;
        this.clock = clock;
    }

    /** Takes one sample. */
    @Scheduled(initialDelay = EVERY_MILLIS, fixedDelay = EVERY_MILLIS)
    void measure() {
        StatisticsSample.Sample sample = sample();
        if (sample == null) {
            return;
        }
        boolean isKept;
        synchronized (recent) {
            recent.addLast(sample);
            Instant from = sample.takenAt().minus(RECENT);
            while (!recent.isEmpty() && recent.getFirst().takenAt().isBefore(from)) {
                recent.removeFirst();
            }
            isKept = !sample.takenAt().isBefore(kept.plus(KEPT_EVERY));
            kept = isKept ? sample.takenAt() : kept;
        }
        if (isKept) {
            keep(sample);
        }
    }

    /** The samples of the last while, the oldest first, thinned out to what a chart can show. */
    public List<StatisticsSample.Sample> over(Duration span) {
        if (span.compareTo(RECENT) <= 0) {
            synchronized (recent) {
                return List.copyOf(recent);
            }
        }
        List<StatisticsSample.Sample> all =
                samples.findByTakenAtAfterOrderByTakenAt(clock.instant().minus(span)).stream()
                        .map(StatisticsSample::sample)
                        .toList();
        int step = Math.max(1, (all.size() + POINTS_MAX - 1) / POINTS_MAX);
        List<StatisticsSample.Sample> thinned = new ArrayList<>();
        for (int i = 0; i < all.size(); i += step) {
            thinned.add(all.get(i));
        }
        return thinned;
    }

    private StatisticsSample.@Nullable Sample sample() {
        try {
            OverviewView overview = queries.get(ControlPath.of("overview"), OverviewView.class);
            MessageStats stats = overview.messageStats();
            return new StatisticsSample.Sample(
                    clock.instant(),
                    overview.queueTotals().ready(),
                    overview.queueTotals().unacked(),
                    stats.perSecond(MessageStats.Counter.PUBLISH),
                    stats.perSecond(MessageStats.Counter.DELIVER_GET),
                    stats.perSecond(MessageStats.Counter.ACK));
        } catch (BrokerUnavailableException | BrokerRefusedException noAnswer) {
            LOG.debug("No sample now", noAnswer);
            return null;
        }
    }

    private void keep(StatisticsSample.Sample sample) {
        try {
            samples.save(new StatisticsSample(sample));
            samples.deleteOlderThan(sample.takenAt().minus(KEPT_FOR));
        } catch (DataAccessException broken) {
            LOG.warn("A sample of the statistics is not kept, the database fails", broken);
        }
    }
}
