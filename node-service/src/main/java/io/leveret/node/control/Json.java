package io.leveret.node.control;

import io.leveret.node.broker.message.FieldTableCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON as the control API reads and writes it. */
final class Json {
    static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(FieldTableCodec.DEPTH_MAX) // as deep as a table of AMQP may be
                            .build())
                    .build())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private Json() {}

    static JsonNode parse(byte[] body) {
        if (body.length == 0) {
            return MAPPER.createObjectNode();
        }
        try {
            return MAPPER.readTree(body);
        } catch (JacksonException e) {
            throw ControlRefusal.badRequest("not_json");
        }
    }

    static <T> T convert(JsonNode json, Class<T> type) {
        try {
            return MAPPER.treeToValue(json, type);
        } catch (JacksonException e) {
            throw ControlRefusal.badRequest(e.getOriginalMessage());
        }
    }

    static byte[] bytes(Object body) {
        return MAPPER.writeValueAsBytes(body);
    }

    /** As definitions hold values: String, Long, Double, Boolean, List, Map. */
    static @Nullable Object value(JsonNode json) {
        if (json.isString()) {
            return json.stringValue();
        }
        if (json.isBoolean()) {
            return json.booleanValue();
        }
        if (json.isIntegralNumber()) {
            return json.canConvertToLong() ? (Object) json.longValue() : json.doubleValue();
        }
        if (json.isNumber()) {
            return json.doubleValue();
        }
        if (json.isArray()) {
            List<@Nullable Object> list = new ArrayList<>();
            json.forEach(element -> list.add(value(element)));
            return Collections.unmodifiableList(list);
        }
        return json.isObject() ? object(json) : null;
    }

    /** The members of an object, in their order; empty for what is no object. */
    @SuppressWarnings("NullAway") // a JSON null is a value like another here; validators refuse it where it is wrong
    static Map<String, Object> object(JsonNode json) {
        Map<String, Object> map = new LinkedHashMap<>();
        json.properties().forEach(entry -> map.put(entry.getKey(), value(entry.getValue())));
        return Collections.unmodifiableMap(map);
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
