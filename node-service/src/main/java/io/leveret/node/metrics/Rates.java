package io.leveret.node.metrics;

import io.leveret.model.view.CounterSet;
import io.leveret.model.view.MessageStats.Count;
import io.leveret.model.view.MessageStats.Counter;
import io.leveret.model.view.Rate;
import io.leveret.node.runtime.NodeClock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How fast counters change, from one look to the next. A look within a few seconds of the last one repeats its rate, so that
 * two readers do not spoil each other's figures. Any thread.
 */
final class Rates {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** How much one look counts in an average. */
    private static final double WEIGHT = 0.3;

    private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(5);
    /** Some 60 MB. */
    private static final int SAMPLES_MAX = 500_000;

    private final NodeClock clock;
    private final int samplesMax;
    private final ConcurrentHashMap<Key, Sample> samples = new ConcurrentHashMap<>();
    /** When those that nobody looks at any more may go again: looking for them costs a walk over all. */
    private final AtomicLong nextSweep;

    Rates(NodeClock clock) {
        this(clock, SAMPLES_MAX);
    }

    /** @param samplesMax counters remembered; what comes beyond it has no rate */
    Rates(NodeClock clock, int samplesMax) {
        this.clock = clock;
        this.samplesMax = samplesMax;
        this.nextSweep = new AtomicLong(clock.nanoTime());
    }

    /** The counter of an object. */
    private record Key(String object, String counter) {}

    /** A look at it. */
    private record Sample(long atNanos, long value, double perSecond) {}

    /** Notes the counter's value and says how fast it grows. */
    double perSecond(String object, String counter, long value) {
        long now = clock.nanoTime();
        return look(object, counter, last -> next(last, now, value, 0)).perSecond;
    }

    private Sample look(String object, String figure, UnaryOperator<@Nullable Sample> next) {
        Key key = new Key(object, figure);
        if (samples.mappingCount() >= samplesMax && !samples.containsKey(key)) {
            sweep();
            if (samples.mappingCount() >= samplesMax) {
                return next.apply(null);
            }
        }
        return samples.compute(key, (same, last) -> next.apply(last));
    }

    private void sweep() {
        long now = clock.nanoTime();
        long due = nextSweep.get();
        if (now - due >= 0 && nextSweep.compareAndSet(due, now + INTERVAL_NANOS)) {
            samples.values().removeIf(sample -> now - sample.atNanos > FORGOTTEN_NANOS);
        }
    }

    /** As {@link #perSecond}, for a figure that goes up and down. */
    Rate gauge(String object, String figure, long value) {
        long now = clock.nanoTime();
        return new Rate(look(object, figure, last -> next(last, now, value, Double.NEGATIVE_INFINITY)).perSecond);
    }

    /** The mean of the last few looks at a figure within 0 and 1. */
    double average(String object, String figure, long value) {
        long now = clock.nanoTime();
        return look(object, figure, last -> {
                    if (last == null) {
                        return new Sample(now, value, value);
                    }
                    double mean = last.perSecond + WEIGHT * (value - last.perSecond);
                    return now - last.atNanos < INTERVAL_NANOS ? last : new Sample(now, value, mean);
                })
                .perSecond;
    }

    /** Notes a counter of messages and adds it to those of its object. */
    void count(Map<Counter, Count> counts, String object, Counter counter, long total) {
        counts.put(counter, new Count(total, perSecond(object, counter.word(), total)));
    }

    /** Notes counters by name. */
    CounterSet counters(String object, Map<String, Long> totals) {
        Map<String, Count> counts = new LinkedHashMap<>();
        totals.forEach((name, total) -> counts.put(name, new Count(total, perSecond(object, name, total))));
        return new CounterSet(counts);
    }

    Rate rate(String object, String counter, long value) {
        return new Rate(perSecond(object, counter, value));
    }

    private static Sample next(@Nullable Sample last, long now, long value, double least) {
        if (last == null) {
            return new Sample(now, value, 0.0);
        }
        long passed = now - last.atNanos;
        if (passed < INTERVAL_NANOS) {
            return last;
        }
        double seconds = passed / (double) TimeUnit.SECONDS.toNanos(1);
        // A counter that went back belongs to a new life of its object.
        double perSecond = Math.max(least, value - last.value) / seconds;
        return new Sample(now, value, Math.round(perSecond * 10) / 10.0);
    }
}
