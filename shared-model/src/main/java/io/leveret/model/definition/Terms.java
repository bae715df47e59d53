package io.leveret.model.definition;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Values of a definition, written the way the sentences of RabbitMQ write them. */
final class Terms {
    private Terms() {}

    static String of(@Nullable Object value) {
        if (value instanceof String text) {
            return "<<\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\">>";
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Terms::of).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> of(entry.getKey()) + " => " + of(entry.getValue()))
                    .sorted()
                    .collect(Collectors.joining(",", "#{", "}"));
        }
        return String.valueOf(value);
    }
}
