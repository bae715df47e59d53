package io.leveret.ctl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Values as the listings write them. */
final class Texts {
    static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Texts() {}

    static JsonNode of(@Nullable String text) {
        return NODES.stringNode(text == null ? "" : text);
    }

    static JsonNode of(long number) {
        return NODES.numberNode(number);
    }

    static JsonNode of(boolean flag) {
        return NODES.booleanNode(flag);
    }

    static JsonNode of(List<String> texts) {
        var array = NODES.arrayNode();
        texts.forEach(array::add);
        return array;
    }

    /** In a table: nothing for what is missing, {@code [a, b]} for a list, {@code [{"k",v}]} for an object. */
    static String plain(@Nullable JsonNode value) {
        if (value == null || value.isNull() || value.isMissingNode()) {
            return "";
        }
        if (value.isString()) {
            return value.stringValue();
        }
        if (value.isArray()) {
            return value.values().stream().map(Texts::plain).collect(Collectors.joining(", ", "[", "]"));
        }
        return value.isObject() ? pairs(value) : value.toString();
    }

    private static String pairs(JsonNode object) {
        return object.properties().stream()
                .map(entry -> "{\"" + entry.getKey() + "\"," + pairValue(entry.getValue()) + "}")
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static String pairValue(JsonNode value) {
        return value.isObject() ? pairs(value) : value.toString();
    }

    /** In JSON: an empty text for what is missing, {@code [["k","longstr","v"]]} for an object of arguments. */
    static String json(@Nullable JsonNode value) {
        if (value == null || value.isNull() || value.isMissingNode()) {
            return "\"\"";
        }
        return value.isObject() ? typed(value).toString() : value.toString();
    }

    private static JsonNode typed(JsonNode object) {
        var rows = NODES.arrayNode();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            JsonNode value = entry.getValue();
            rows.add(NODES.arrayNode()
                    .add(entry.getKey())
                    .add(typeName(value))
                    .add(value.isObject() ? typed(value) : value));
        }
        return rows;
    }

    private static String typeName(JsonNode value) {
        if (value.isString()) {
            return "longstr";
        }
        if (value.isBoolean()) {
            return "bool";
        }
        if (value.isIntegralNumber()) {
            return value.canConvertToInt() ? "signedint" : "long";
        }
        if (value.isNumber()) {
            return "double";
        }
        return value.isArray() ? "array" : value.isObject() ? "table" : "void";
    }

    /** JSON with the keys of objects sorted, as definitions of policies are shown. */
    static String sortedJson(JsonNode value) {
        if (!value.isObject()) {
            return value.toString();
        }
        List<String> members = new ArrayList<>();
        value.properties().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> members.add(
                        ControlClient.JSON.writeValueAsString(entry.getKey()) + ":" + sortedJson(entry.getValue())));
        return "{" + String.join(",", members) + "}";
    }
}
