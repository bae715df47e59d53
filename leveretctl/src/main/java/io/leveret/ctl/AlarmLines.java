package io.leveret.ctl;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/** The alarms of the nodes that run, as sentences and as JSON. */
final class AlarmLines {
    private record Alarm(String node, String resource) {
        String sentence() {
            return (resource.equals("memory") ? "Memory" : "Free disk space") + " alarm on node " + node;
        }
    }

    /** An alarm as a health check tells it: {@code {"node":…,"resource":…}}. */
    static String sentence(JsonNode alarm) {
        return new Alarm(alarm.path("node").asString(""), alarm.path("resource").asString("")).sentence();
    }

    private AlarmLines() {}

    /** One line for each, or {@code (none)}. */
    static String text(JsonNode nodes) {
        List<String> lines = of(nodes).stream().map(Alarm::sentence).toList();
        return lines.isEmpty() ? "(none)" : String.join("\n", lines);
    }

    static ArrayNode json(JsonNode nodes) {
        ArrayNode array = Texts.NODES.arrayNode();
        of(nodes)
                .forEach(alarm -> array.add(
                        Texts.NODES.objectNode().put("node", alarm.node()).put("resource", alarm.resource())));
        return array;
    }

    private static List<Alarm> of(JsonNode nodes) {
        List<Alarm> alarms = new ArrayList<>();
        for (JsonNode node : nodes) {
            String name = node.path("name").asString("");
            if (node.path("mem_alarm").asBoolean(false)) {
                alarms.add(new Alarm(name, "memory"));
            }
            if (node.path("disk_free_alarm").asBoolean(false)) {
                alarms.add(new Alarm(name, "disk"));
            }
        }
        return alarms;
    }
}
