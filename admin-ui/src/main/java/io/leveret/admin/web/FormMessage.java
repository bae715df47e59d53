package io.leveret.admin.web;

import io.leveret.model.control.PublishRequest;
import java.util.LinkedHashMap;
import java.util.Map;

/** The message in the form “Publish message”. */
public final class FormMessage {
    private FormMessage() {}

    /** Persistent unless the form says otherwise. */
    public static PublishRequest of(Map<String, String> fields, String routingKey) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("delivery_mode", "1".equals(fields.get("delivery_mode")) ? 1 : 2);
        Map<String, Object> headers = FormPairs.of(fields.getOrDefault("headers", ""));
        if (!headers.isEmpty()) {
            properties.put("headers", headers);
        }
        return new PublishRequest(
                properties,
                routingKey,
                fields.getOrDefault("payload", ""),
                fields.getOrDefault("payload_encoding", "string"));
    }
}
