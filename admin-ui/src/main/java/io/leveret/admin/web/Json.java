package io.leveret.admin.web;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON as trees and texts, for what has no record of its own. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private Json() {}

    /** The tree of a text; a text that is no JSON becomes a JSON string. */
    public static JsonNode parse(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JacksonException notJson) {
            return MAPPER.getNodeFactory().stringNode(text);
        }
    }

    /** The tree of a view. */
    public static JsonNode tree(@Nullable Object view) {
        return MAPPER.valueToTree(view);
    }

    public static String text(@Nullable Object value) {
        return MAPPER.writeValueAsString(value);
    }

    /** An object's fields in order; empty for anything else. */
    public static Map<String, Object> object(@Nullable String text) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (text != null && !text.isBlank() && MAPPER.readValue(text, Object.class) instanceof Map<?, ?> map) {
            map.forEach((key, value) -> fields.put(String.valueOf(key), value));
        }
        return fields;
    }
}
