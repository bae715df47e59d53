package io.leveret.admin.web;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** The body of a request, with the refusals that clients of this API know. The type of the content is not asked for. */
public final class JsonBody {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Map<String, Object> fields;

    private JsonBody(Map<String, Object> fields) {
        this.fields = fields;
    }

    /** Reads an object; an empty body and {@code null} are an object without fields. */
    public static JsonBody of(byte @Nullable [] body) {
        return of(body, "not_json");
    }

    /** The same, with another word for what is no JSON. */
    public static JsonBody of(byte @Nullable [] body, String notJson) {
        if (body == null || body.length == 0) {
            return new JsonBody(new LinkedHashMap<>());
        }
        Object value;
        try {
            value = JSON.readValue(new String(body, StandardCharsets.UTF_8), Object.class);
        } catch (JacksonException bad) {
            throw ApiProblem.badRequest(notJson);
        }
        if (value == null) {
            return new JsonBody(new LinkedHashMap<>());
        }
        if (value instanceof String) {
            throw ApiProblem.badRequest("invalid payload: the request body JSON-decoded to a string. "
                    + "Is the input doubly-JSON-encoded?");
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw ApiProblem.badRequest(notJson);
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        map.forEach((key, field) -> fields.put(String.valueOf(key), field));
        return new JsonBody(fields);
    }

    /** Refuses the body when one of these keys is missing, naming all that are. */
    public JsonBody require(String... keys) {
        List<String> missing = new ArrayList<>();
        for (String key : keys) {
            if (!fields.containsKey(key)) {
                missing.add(key);
            }
        }
        if (!missing.isEmpty()) {
            throw ApiProblem.badRequest(missing.stream()
                    .map(key -> "{key_missing," + key + "}")
                    .collect(Collectors.joining(",", "[", "]")));
        }
        return this;
    }

    public boolean has(String key) {
        return fields.get(key) != null;
    }

    public @Nullable Object get(String key) {
        return fields.get(key);
    }

    /** All fields as they were sent. */
    public Map<String, Object> fields() {
        return fields;
    }

    public boolean bool(String key, boolean otherwise) {
        Object value = fields.get(key);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof Boolean bool) {
            return bool;
        }
        if ("true".equals(value) || "false".equals(value)) {
            return "true".equals(value);
        }
        throw ApiProblem.badRequest(List.of("not_boolean", value));
    }

    /** A text; a number is taken as its digits. */
    public String text(String key, String otherwise) {
        Object value = fields.get(key);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof String text) {
            return text;
        }
        if (value instanceof Number number) {
            return number.toString();
        }
        throw ApiProblem.badRequest(List.of("not_a_string", key));
    }

    /** A whole number; digits in a string are taken, too. */
    public int integer(String key, int otherwise) {
        Object value = fields.get(key);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof Integer number) {
            return number;
        }
        try {
            return Integer.parseInt(value.toString().strip());
        } catch (NumberFormatException notOne) {
            throw ApiProblem.badRequest(List.of("not_int", key));
        }
    }

    /** An object; an empty list is taken for an empty one, as some clients write it. */
    public Map<String, Object> object(String key) {
        Object value = fields.get(key);
        if (value == null || (value instanceof List<?> list && list.isEmpty())) {
            return Map.of();
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw ApiProblem.badRequest(List.of("not_an_object", key));
        }
        Map<String, Object> object = new LinkedHashMap<>();
        map.forEach((name, field) -> object.put(String.valueOf(name), field));
        return object;
    }

    /** Words, as a list or separated by commas. */
    public List<String> words(String key) {
        Object value = fields.get(key);
        if (value == null) {
            return List.of();
        }
        List<String> words = new ArrayList<>();
        if (value instanceof List<?> list) {
            list.forEach(word -> words.add(String.valueOf(word).strip()));
        } else if (value instanceof String text) {
            words.addAll(List.of(text.split(",", -1)));
        } else {
            throw ApiProblem.badRequest(List.of("not_a_list", key));
        }
        return words.stream().map(String::strip).filter(word -> !word.isEmpty()).toList();
    }

    /** Refuses a text that is not base64. */
    public static void requireBase64(String text) {
        try {
            Base64.getDecoder().decode(text);
        } catch (IllegalArgumentException bad) {
            throw ApiProblem.badRequest(List.of("not_base64", text));
        }
    }
}
