package io.leveret.node.cluster.replication;

import java.util.concurrent.TimeUnit;

/** How fast one mirror is synchronised, from one look at it to the next. A look too soon repeats the last figure. */
final class SyncPace {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private boolean isBegun;
    private long atNanos;
    private long missing;
    private long perSecond;

    /** @return messages per second */
    long look(long now, long missingNow) {
        long passed = now - atNanos;
        if (isBegun && passed < INTERVAL_NANOS) {
            return perSecond;
        }
        if (isBegun) {
            perSecond = Math.max(0, missing - missingNow) * TimeUnit.SECONDS.toNanos(1) / passed;
        }
        isBegun = true;
        atNanos = now;
        missing = missingNow;
        return perSecond;
    }
}
