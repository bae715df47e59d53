package io.leveret.ctl;

import io.leveret.model.ByteSize;
import tools.jackson.databind.JsonNode;

/** When a node raises its memory and disk alarms. */
final class Thresholds {
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

    private static long bytes(String text) {
        return ByteSize.parse(text).orElseThrow(Thresholds::bad);
    }

    private static UsageFailure bad() {
        return new UsageFailure(CtlFailure.DATA, "Error (argument validation): Bad argument.");
    }
}
