package io.leveret.admin.limit;

import io.leveret.admin.web.Pill;
import io.leveret.admin.web.Words;

/**
 * One limit and how much of it is used.
 *
 * @param kind {@code vhost} or {@code user}
 * @param owner whose limit it is
 * @param limit its key, such as {@code max-connections}
 * @param value below 0: no limit
 * @param used what it counts, now
 */
public record LimitRow(String kind, String owner, String limit, int value, long used) {
    /** From this share on a limit is near. */
    private static final double NEAR = 0.8;

    public boolean isLimited() {
        return value >= 0;
    }

    /** {@code 3 of 5} */
    public String usage() {
        return isLimited() ? Words.number(used) + " of " + Words.number(value) : Words.number(used) + ", no limit";
    }

    public Pill state() {
        if (!isLimited()) {
            return Pill.of("", "no limit");
        }
        if (used >= value) {
            return Pill.of("bad", value == 0 ? "nothing allowed" : "reached");
        }
        return used >= value * NEAR ? Pill.of("warn", "near") : Pill.of("ok", "room for " + Words.number(value - used));
    }
}
