package io.leveret.admin.web;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A chart as the server draws it: lines over time, in a box of 560 by 160.
 *
 * @param lines differing by colour and dash
 * @param grid the heights of the horizontal lines, from the bottom
 * @param top what the highest line stands for
 */
public record Chart(
        String id, String title, List<Line> lines, List<String> grid, String middle, String top, Times times) {

    /**
     * A line.
     *
     * @param segments lists of points; a gap in time starts a new one
     * @param now the last value, with its unit
     */
    public record Line(String name, String css, List<String> segments, String now) {}

    /** What stands below the box. */
    public record Times(String first, String middle, String last) {}

    /** A line before it is drawn; {@code values} are as many as there are instants. */
    public record Series(String name, List<Double> values, String unit) {}

    private static final double LEFT = 50;
    private static final double RIGHT = 554;
    private static final double TOP = 8;
    private static final double BOTTOM = 140;
    private static final int GRID_LINES = 4;
    private static final double[] STEPS = {1, 1.5, 2, 3, 4, 5, 6, 8, 10};
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter DAY =
            DateTimeFormatter.ofPattern("MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final long DAY_SECONDS = 86_400;

    /** Steps between two samples that are more than this many times the usual one are a gap. */
    private static final int GAP = 4;

    /** Draws the lines; the chart has none when there are fewer than two instants. */
    public static Chart of(String id, String title, List<Instant> instants, List<Series> series) {
        double max = 0;
        for (Series one : series) {
            for (double value : one.values()) {
                max = Math.max(max, value);
            }
        }
        double top = roundedUp(max);
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < series.size() && instants.size() > 1; i++) {
            lines.add(line(series.get(i), "c" + (i + 1), instants, top));
        }
        List<String> grid = new ArrayList<>();
        for (int i = 0; i <= GRID_LINES; i++) {
            grid.add(number(BOTTOM - (BOTTOM - TOP) * i / GRID_LINES));
        }
        return new Chart(id, title, lines, grid, shortNumber(top / 2), shortNumber(top), times(instants));
    }

    public boolean isEmpty() {
        return lines.isEmpty();
    }

    /** "Queued messages, now: Ready 5; Unacked 2" */
    public String label() {
        return title + ", now: "
                + String.join(
                        "; ",
                        lines.stream()
                                .map(line -> line.name() + " " + line.now())
                                .toList());
    }

    private static Line line(Series series, String css, List<Instant> instants, double top) {
        long start = instants.get(0).toEpochMilli();
        long end = instants.get(instants.size() - 1).toEpochMilli();
        long usual = Math.max(1, (end - start) / (instants.size() - 1));
        List<String> segments = new ArrayList<>();
        StringBuilder points = new StringBuilder();
        long before = start;
        for (int i = 0; i < instants.size(); i++) {
            long at = instants.get(i).toEpochMilli();
            if (at - before > usual * GAP && points.length() > 0) {
                segments.add(points.toString());
                points.setLength(0);
            }
            double x = LEFT + (RIGHT - LEFT) * (at - start) / Math.max(1, end - start);
            double y = BOTTOM - (BOTTOM - TOP) * series.values().get(i) / top;
            points.append(points.length() == 0 ? "" : " ")
                    .append(number(x))
                    .append(',')
                    .append(number(y));
            before = at;
        }
        segments.add(points.toString());
        double last = series.values().get(series.values().size() - 1);
        String now = series.unit().isEmpty() ? Words.number(last) : Words.rate(last) + series.unit();
        return new Line(series.name(), css, segments, now);
    }

    private static Times times(List<Instant> instants) {
        if (instants.isEmpty()) {
            return new Times("", "", "");
        }
        Instant first = instants.get(0);
        Instant last = instants.get(instants.size() - 1);
        long seconds = last.getEpochSecond() - first.getEpochSecond();
        DateTimeFormatter format = seconds > DAY_SECONDS / 2 ? DAY : TIME;
        return new Times(format.format(first), format.format(first.plusSeconds(seconds / 2)), format.format(last));
    }

    /** The next number that reads well as the end of an axis. */
    static double roundedUp(double max) {
        if (max <= 1) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(max)));
        for (double step : STEPS) {
            if (max <= step * power) {
                return step * power;
            }
        }
        return 10 * power;
    }

    private static String shortNumber(double value) {
        if (value >= 1_000_000) {
            return trimmed(value / 1_000_000) + " M";
        }
        return value >= 1000 ? trimmed(value / 1000) + " k" : trimmed(value);
    }

    private static String trimmed(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.2f", value).replaceAll("0+$", "");
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
