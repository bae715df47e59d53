package io.leveret.ctl;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A port of a node, as a sentence and as JSON. */
final class ListenerLines {
    private ListenerLines() {}

    /** {@code interface: [::], port: 5672, protocol: amqp, purpose: …}, the first word as the sentence needs it. */
    static String text(String first, JsonNode listener) {
        return first + ": " + shown(listener) + ", port: " + listener.path("port") + ", protocol: " + protocol(listener)
                + ", purpose: " + purpose(listener);
    }

    static ObjectNode json(JsonNode listener) {
        return Texts.NODES
                .objectNode()
                .put("interface", shown(listener))
                .put("node", listener.path("node").asString(""))
                .put("port", listener.path("port").asInt(0))
                .put("protocol", protocol(listener))
                .put("purpose", purpose(listener));
    }

    private static String shown(JsonNode listener) {
        String address = listener.path("ip_address").asString("");
        return address.contains(":") ? "[" + address + "]" : address;
    }

    private static String protocol(JsonNode listener) {
        return listener.path("protocol").asString("");
    }

    private static String purpose(JsonNode listener) {
        return switch (protocol(listener)) {
            case "amqp" -> "AMQP 0-9-1 and AMQP 1.0";
            case "amqp/ssl" -> "AMQP 0-9-1 and AMQP 1.0 over TLS";
            case "clustering" -> "inter-node and CLI tool communication";
            case "http" -> "HTTP API";
            default -> protocol(listener);
        };
    }
}
