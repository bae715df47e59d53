package io.leveret.admin.policy;

import io.leveret.admin.web.Json;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A row of the definition in the form: a key, a value as text, and what the text is to be taken for.
 *
 * @param error what is wrong with it; empty when nothing is
 */
public record DefinitionRow(String key, String value, Type type, String error) {

    /** What a value is. */
    public enum Type {
        STRING("String"),
        NUMBER("Number"),
        BOOLEAN("Boolean"),
        LIST("List");

        private final String word;

        Type(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }

        static Type of(@Nullable String word) {
            for (Type type : values()) {
                if (type.word.equalsIgnoreCase(word == null ? "" : word)) {
                    return type;
                }
            }
            return STRING;
        }
    }

    /** A value that cannot be taken for what it is said to be. The message says why. */
    static final class NotThisTypeException extends Exception {
        private static final long serialVersionUID = 1L;

        NotThisTypeException(String message) {
            super(message);
        }
    }

    static DefinitionRow of(String key, String value, Type type) {
        return new DefinitionRow(key, value, type, "");
    }

    /** The row that shows a value. */
    static DefinitionRow of(String key, Object value) {
        if (value instanceof Number) {
            return of(key, value.toString(), Type.NUMBER);
        }
        if (value instanceof Boolean) {
            return of(key, value.toString(), Type.BOOLEAN);
        }
        if (value instanceof List<?> list) {
            return of(key, list.stream().map(String::valueOf).collect(Collectors.joining(", ")), Type.LIST);
        }
        return of(key, value instanceof String text ? text : Json.text(value), Type.STRING);
    }

    boolean isEmpty() {
        return key.isBlank() && value.isBlank();
    }

    DefinitionRow withError(String sentence) {
        return new DefinitionRow(key, value, type, sentence);
    }

    /** The value as JSON has it. */
    Object parsed() throws NotThisTypeException {
        String text = value.strip();
        return switch (type) {
            case STRING -> value;
            case BOOLEAN -> {
                if (!text.equals("true") && !text.equals("false")) {
                    throw new NotThisTypeException(key + ": a Boolean is true or false; “" + value + "” is neither.");
                }
                yield Boolean.valueOf(text);
            }
            case NUMBER -> number(text);
            case LIST ->
                text.isEmpty()
                        ? List.of()
                        : List.of(text.split(",", -1)).stream()
                                .map(String::strip)
                                .toList();
        };
    }

    private Object number(String text) throws NotThisTypeException {
        try {
            return Long.valueOf(text);
        } catch (NumberFormatException notWhole) {
            try {
                return Double.valueOf(text);
            } catch (NumberFormatException notOne) {
                throw new NotThisTypeException(key + ": “" + value + "” is not a number.");
            }
        }
    }
}
