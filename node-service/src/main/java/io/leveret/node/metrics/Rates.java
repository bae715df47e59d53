package io.leveret.node.metrics;

import io.leveret.model.view.Rate;
import io.leveret.node.runtime.NodeClock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How fast counters change, from one look to the next. A look within a few seconds of the last one repeats its rate, so that
 * two readers do not spoil each other's figures. Any thread.
 */
final class Rates {
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(5);
    /** Counters remembered; beyond it those that nobody looks at any more go. */
    private static final int SAMPLES_MAX = 500_000;

    private final NodeClock clock;
    private final Map<Key, Sample> samples = new ConcurrentHashMap<>();

    Rates(NodeClock clock) {
        this.clock = clock;
    }

    /** The counter of an object. */
    private record Key(String object, String counter) {}

    /** A look at it. */
    private record Sample(long atNanos, long value, double perSecond) {}

    /** Notes the counter's value and says how fast it grows. */
    double perSecond(String object, String counter, long value) {
        long now = clock.nanoTime();
        if (samples.size() > SAMPLES_MAX) {
            samples.values().removeIf(sample -> now - sample.atNanos > FORGOTTEN_NANOS);
        }
        return samples.compute(new Key(object, counter), (key, last) -> next(last, now, value)).perSecond;
    }

    Rate rate(String object, String counter, long value) {
        return new Rate(perSecond(object, counter, value));
    }

    private static Sample next(@Nullable Sample last, long now, long value) {
        if (last == null) {
            return new Sample(now, value, 0.0);
        }
        long passed = now - last.atNanos;
        if (passed < INTERVAL_NANOS) {
            return last;
        }
        double seconds = passed / (double) TimeUnit.SECONDS.toNanos(1);
        // A counter that went back belongs to a new life of its object.
        double perSecond = Math.max(0, value - last.value) / seconds;
        return new Sample(now, value, Math.round(perSecond * 10) / 10.0);
    }
}
