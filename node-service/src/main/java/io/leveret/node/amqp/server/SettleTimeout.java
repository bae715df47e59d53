package io.leveret.node.amqp.server;

/**
 * Whether a channel owes the settling of a delivery for too long. Pure: it is asked every {@link #intervalNanos}, and finds out
 * late by at most two of these, never early.
 *
 * <p>Deliveries do not carry a time. Each time it is asked it marks how far the delivery tags have come; when the oldest
 * delivery that is not settled came before a mark that is older than the timeout, so is the delivery.
 */
final class SettleTimeout {
    /** With the default of half an hour, a look a minute. */
    private static final int INTERVALS = 30;

    private static final long INTERVAL_NANOS_MIN = 10_000_000;
    /** All marks younger than the timeout, and one more. */
    private static final int MARKS_MAX = INTERVALS + 2;

    private final long timeoutNanos;
    private final long[] tags = new long[MARKS_MAX];
    private final long[] times = new long[MARKS_MAX];
    private int first;
    private int count;

    /** @param timeoutMillis 1 or more */
    SettleTimeout(long timeoutMillis) {
        this.timeoutNanos = nanos(timeoutMillis);
    }

    private static long nanos(long millis) {
        return Math.min(millis, Long.MAX_VALUE / 4_000_000) * 1_000_000;
    }

    /** How often to ask. */
    static long intervalNanos(long timeoutMillis) {
        return Math.max(INTERVAL_NANOS_MIN, nanos(timeoutMillis) / INTERVALS);
    }

    /**
     * Time has passed.
     *
     * @param oldest tag of the oldest delivery that is not settled; 0: there is none
     * @param next tag of the next delivery
     */
    boolean isOverdue(long nowNanos, long oldest, long next) {
        while (count > 0 && (oldest == 0 || tags[first] <= oldest)) {
            first = (first + 1) % MARKS_MAX;
            count--;
        }
        if (oldest == 0) {
            return false;
        }
        if (count > 0 && nowNanos - times[first] >= timeoutNanos) {
            return true;
        }
        if (count < MARKS_MAX) {
            int slot = (first + count++) % MARKS_MAX;
            tags[slot] = next;
            times[slot] = nowNanos;
        }
        return false;
    }
}
