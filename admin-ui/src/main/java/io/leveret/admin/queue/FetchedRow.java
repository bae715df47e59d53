package io.leveret.admin.queue;

import io.leveret.admin.web.Json;
import io.leveret.admin.web.Words;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** A message that was fetched, as the page shows it. */
public record FetchedRow(String head, String properties, String payload) implements Serializable {
    static List<FetchedRow> all(String json) {
        List<FetchedRow> rows = new ArrayList<>();
        for (JsonNode message : Json.parse(json)) {
            rows.add(of(message));
        }
        return rows;
    }

    private static FetchedRow of(JsonNode message) {
        String exchange = message.path("exchange").asString("");
        String encoding = message.path("payload_encoding").asString("");
        String head = Words.number(message.path("message_count").asLong(0)) + " remain. Exchange "
                + (exchange.isEmpty() ? "(default)" : exchange) + ", key "
                + message.path("routing_key").asString("")
                + (message.path("redelivered").asBoolean(false) ? ", redelivered" : "") + ", "
                + Words.bytes(message.path("payload_bytes").asLong(0))
                + (encoding.equals("base64") ? ", shown as base64" : "");
        JsonNode properties = message.path("properties");
        return new FetchedRow(
                head,
                properties.isObject() && !properties.isEmpty() ? properties.toString() : "",
                message.path("payload").asString(""));
    }
}
