package io.leveret.ctl;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** When a node raises its memory and disk alarms. */
final class Thresholds {
    private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,18})\\s*([a-zA-Z]*)");
    private static final Map<String, Long> UNITS = Map.ofEntries(
            Map.entry("", 1L),
            Map.entry("b", 1L),
            Map.entry("k", 1L << 10),
            Map.entry("kib", 1L << 10),
            Map.entry("kb", 1_000L),
            Map.entry("m", 1L << 20),
            Map.entry("mib", 1L << 20),
            Map.entry("mb", 1_000_000L),
            Map.entry("g", 1L << 30),
            Map.entry("gib", 1L << 30),
            Map.entry("gb", 1_000_000_000L));

    private Thresholds() {}

    static void setMemory(Call call) {
        if (call.argument(0).equals("absolute")) {
            if (call.arguments().size() < 2) {
                throw new UsageFailure("Error (argument validation): not enough arguments.");
            }
            long bytes = bytes(call.argument(1));
            call.client().get("/node");
            call.say("Setting memory threshold on " + call.node() + " to " + call.argument(1) + " bytes ...");
            put(call, "/node/memory-limit", Texts.NODES.objectNode().put("bytes", bytes));
            return;
        }
        double fraction = fraction(call.argument(0));
        call.client().get("/node");
        call.say("Setting memory threshold on " + call.node() + " to " + call.argument(0) + " ...");
        put(call, "/node/memory-limit", Texts.NODES.objectNode().put("fraction", fraction));
    }

    static void setDisk(Call call) {
        if (call.argument(0).equals("mem_relative")) {
            if (call.arguments().size() < 2) {
                throw new UsageFailure("Error (argument validation): not enough arguments.");
            }
            double times = number(call.argument(1));
            call.client().get("/node");
            call.say("Setting disk free limit on " + call.node() + " to " + call.argument(1)
                    + " times the total RAM ...");
            put(call, "/node/disk-limit", Texts.NODES.objectNode().put("fraction", times));
            return;
        }
        long bytes = bytes(call.argument(0));
        call.client().get("/node");
        call.say("Setting disk free limit on " + call.node() + " to " + call.argument(0) + " bytes ...");
        put(call, "/node/disk-limit", Texts.NODES.objectNode().put("bytes", bytes));
    }

    private static void put(Call call, String path, JsonNode body) {
        ControlClient.accepted(call.client().ask("PUT", path, body));
    }

    private static double fraction(String text) {
        double fraction = number(text);
        if (fraction < 0 || fraction > 1) {
            throw UsageFailure.badArgument("The threshold should be a fraction between 0.0 and 1.0");
        }
        return fraction;
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw bad();
        }
    }

    /** {@code 50MB} and the like. */
    private static long bytes(String text) {
        Matcher amount = AMOUNT.matcher(text);
        Long unit = amount.matches() ? UNITS.get(amount.group(2).toLowerCase(Locale.ROOT)) : null;
        if (unit == null) {
            throw bad();
        }
        try {
            return Math.multiplyExact(Long.parseLong(amount.group(1)), unit);
        } catch (ArithmeticException tooLarge) {
            throw bad();
        }
    }

    private static UsageFailure bad() {
        return new UsageFailure(CtlFailure.DATA, "Error (argument validation): Bad argument.");
    }
}
