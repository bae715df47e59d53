package io.leveret.node.control;

import io.leveret.node.broker.message.FieldTableException;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.message.MessagePropertiesBuilder;
import io.leveret.node.broker.message.Property;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Message properties as JSON objects: {@code {"delivery_mode": 2, "headers": {…}}}. */
final class JsonProperties {
    private static final int PERSISTENT = 2;

    private JsonProperties() {}

    static byte[] none() {
        return MessageProperties.NONE;
    }

    private static String word(Property property) {
        return property.name().toLowerCase(Locale.ROOT);
    }

    static boolean isPersistent(byte[] header) {
        return MessageProperties.of(header).deliveryMode() == PERSISTENT;
    }

    /** The raw properties; refused when a value is of the wrong type. Unknown members are left out. */
    static byte[] toBytes(JsonNode json) {
        MessagePropertiesBuilder builder = MessageProperties.builder();
        for (Property property : Property.values()) {
            JsonNode value = json.path(word(property));
            if (value.isMissingNode() || value.isNull()) {
                continue;
            }
            switch (property) {
                case HEADERS -> builder.headers(Json.object(value));
                case DELIVERY_MODE -> builder.deliveryMode(octet(property, value));
                case PRIORITY -> builder.priority(octet(property, value));
                case TIMESTAMP -> builder.timestamp(seconds(property, value));
                default -> builder.text(property, value.isString() ? value.stringValue() : value.toString());
            }
        }
        try {
            return builder.toBytes();
        } catch (FieldTableException e) {
            throw ControlRefusal.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static long seconds(Property property, JsonNode value) {
        if (!value.isNumber()) {
            throw ControlRefusal.badRequest(List.of("not_int", word(property)));
        }
        return value.asLong(0);
    }

    private static int octet(Property property, JsonNode value) {
        if (!value.isNumber()) {
            throw ControlRefusal.badRequest(List.of("not_int", word(property)));
        }
        int number = value.asInt(-1);
        if (number < 0 || number > 255) {
            throw ControlRefusal.badRequest(word(property) + " must be within 0 and 255");
        }
        return number;
    }

    static Map<String, Object> of(byte[] header) {
        MessageProperties properties = MessageProperties.of(header);
        Map<String, Object> json = new LinkedHashMap<>();
        for (Property property : Property.values()) {
            if (properties.has(property)) {
                Object value = switch (property) {
                    case HEADERS -> plain(properties.headers());
                    case DELIVERY_MODE -> properties.deliveryMode();
                    case PRIORITY -> properties.priority();
                    case TIMESTAMP -> properties.timestamp();
                    default -> properties.text(property);
                };
                if (value != null) {
                    json.put(word(property), value);
                }
            }
        }
        return json;
    }

    /** A value of a field table as JSON can hold it. */
    private static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> plain = new LinkedHashMap<>();
            map.forEach((key, each) -> plain.put(String.valueOf(key), plain(each)));
            return plain;
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> plain = new ArrayList<>();
            list.forEach(each -> plain.add(plain(each)));
            return plain;
        }
        if (value instanceof Date date) {
            return date.getTime() / 1000;
        }
        if (value instanceof byte[] bytes) {
            return Json.text(bytes);
        }
        return value instanceof BigDecimal decimal ? (Object) decimal.doubleValue() : value;
    }
}
