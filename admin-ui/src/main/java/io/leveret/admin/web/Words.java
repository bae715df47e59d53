package io.leveret.admin.web;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How pages write numbers, sizes and times. What is unknown is a dash, never 0. */
public final class Words {
    public static final String UNKNOWN = "–";
    /** The default exchange in an address, where its name, which is empty, cannot stand. */
    public static final String DEFAULT_EXCHANGE = "amq.default";

    private static final long KILO = 1000;
    private static final String[] SIZES = {"B", "kB", "MB", "GB", "TB", "PB"};
    private static final DateTimeFormatter WHOLE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Words() {}

    /** {@code 1,204} */
    public static String number(@Nullable Number value) {
        return value == null ? UNKNOWN : String.format(Locale.ROOT, "%,d", value.longValue());
    }

    /** {@code 2.1 GB} */
    public static String bytes(@Nullable Number value) {
        if (value == null) {
            return UNKNOWN;
        }
        double size = value.doubleValue();
        int unit = 0;
        while (size >= KILO && unit < SIZES.length - 1) {
            size /= KILO;
            unit++;
        }
        return unit == 0
                ? number(value) + " B"
                : String.format(Locale.ROOT, size < 10 ? "%.1f %s" : "%.0f %s", size, SIZES[unit]);
    }

    /** Per second: {@code 3.2}, {@code 842} */
    public static String rate(double perSecond) {
        if (perSecond == 0) {
            return "0";
        }
        return perSecond < 10 ? String.format(Locale.ROOT, "%.1f", perSecond) : number(Math.round(perSecond));
    }

    /** {@code 42 %}, rounded down: 100 % is said only when all is done. */
    public static String percent(long part, long whole) {
        return whole <= 0 ? UNKNOWN : (part * 100 / whole) + " %";
    }

    /** {@code 41 d 3 h}, {@code 16 min}, {@code 12 s} */
    public static String duration(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3600) {
            return seconds / 60 + " min";
        }
        if (seconds < 86_400) {
            return seconds / 3600 + " h " + seconds % 3600 / 60 + " min";
        }
        return seconds / 86_400 + " d " + seconds % 86_400 / 3600 + " h";
    }

    /** {@code 2026-03-12 09:14:03}, UTC */
    public static String time(Instant instant) {
        return WHOLE.format(instant);
    }

    /** {@code 1 queue}, {@code 3 queues} */
    public static String count(long number, String one) {
        return number(number) + " " + (number == 1 ? one : one + "s");
    }

    /** An exchange's name; the default one has none. */
    public static String exchange(String name) {
        return name.isEmpty() ? "(AMQP default)" : name;
    }

    /** A node's name up to the @, as rows show it; the title has the whole. */
    public static String shortNode(@Nullable String node) {
        if (node == null) {
            return UNKNOWN;
        }
        int at = node.indexOf('@');
        return at > 0 ? node.substring(0, at) : node;
    }
}
