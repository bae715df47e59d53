package io.leveret.node.broker.definitions;

import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.QueueDefinition;
import java.math.BigDecimal;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether declaring something again asks for what is there. Only arguments that change behaviour count; numbers of different
 * width are equal when their values are.
 */
public final class Equivalence {
    private static final String QUEUE_TYPE = "x-queue-type";
    private static final String CLASSIC = "classic";

    private static final List<String> QUEUE_ARGUMENTS = List.of(
            "x-expires",
            "x-message-ttl",
            "x-dead-letter-exchange",
            "x-dead-letter-routing-key",
            "x-dead-letter-strategy",
            "x-max-length",
            "x-max-length-bytes",
            "x-max-in-memory-length",
            "x-max-in-memory-bytes",
            "x-max-priority",
            "x-overflow",
            "x-queue-mode",
            "x-queue-version",
            "x-single-active-consumer",
            QUEUE_TYPE,
            "x-quorum-initial-group-size",
            "x-max-age",
            "x-stream-max-segment-size-bytes",
            "x-initial-cluster-size",
            "x-queue-leader-locator");

    private Equivalence() {}

    /** The first difference as the sentence of a 406, or null when the declaration fits. Ownership is not looked at. */
    public static @Nullable String difference(QueueDefinition current, QueueDefinition asked) {
        String what = " for queue " + current.name();
        String difference = flag("durable", what, current.isDurable(), asked.isDurable());
        if (difference == null) {
            difference = flag("auto_delete", what, current.isAutoDelete(), asked.isAutoDelete());
        }
        for (int i = 0; difference == null && i < QUEUE_ARGUMENTS.size(); i++) {
            difference = argument(QUEUE_ARGUMENTS.get(i), what, current.arguments(), asked.arguments());
        }
        return difference;
    }

    /** The first difference as the sentence of a 406, or null when the declaration fits. */
    public static @Nullable String difference(ExchangeDefinition current, ExchangeDefinition asked) {
        String what = " for exchange " + current.name();
        if (!current.type().equals(asked.type())) {
            return sentence("type", what, asked.type(), current.type());
        }
        String difference = flag("durable", what, current.isDurable(), asked.isDurable());
        if (difference == null) {
            difference = flag("auto_delete", what, current.isAutoDelete(), asked.isAutoDelete());
        }
        if (difference == null) {
            difference = flag("internal", what, current.isInternal(), asked.isInternal());
        }
        return difference != null
                ? difference
                : argument("alternate-exchange", what, current.arguments(), asked.arguments());
    }

    private static @Nullable String flag(String name, String what, boolean current, boolean asked) {
        return current == asked ? null : sentence(name, what, Boolean.toString(asked), Boolean.toString(current));
    }

    private static String sentence(String name, String what, String asked, String current) {
        return "inequivalent arg '" + name + "'" + what + ": received '" + asked + "' but current is '" + current + "'";
    }

    private static @Nullable String argument(
            String name, String what, Map<String, Object> current, Map<String, Object> asked) {
        Object now = current.get(name);
        Object then = asked.get(name);
        if (isSame(now, then) || isSameType(name, now, then)) {
            return null;
        }
        if (now != null && then != null) {
            return sentence(name, what, String.valueOf(then), String.valueOf(now));
        }
        return "inequivalent arg '" + name + "'" + what + ": received " + described(then) + " but current is "
                + described(now);
    }

    private static String described(@Nullable Object value) {
        return value == null ? "none" : "the value '" + value + "' of type '" + typeName(value) + "'";
    }

    private static boolean isSame(@Nullable Object a, @Nullable Object b) {
        if (isInteger(a) && isInteger(b)) {
            return ((Number) Objects.requireNonNull(a)).longValue() == ((Number) Objects.requireNonNull(b)).longValue();
        }
        return Objects.deepEquals(a, b);
    }

    /** A queue is a classic one, said or not. */
    private static boolean isSameType(String name, @Nullable Object a, @Nullable Object b) {
        return name.equals(QUEUE_TYPE)
                && Objects.requireNonNullElse(a, CLASSIC).equals(Objects.requireNonNullElse(b, CLASSIC));
    }

    private static boolean isInteger(@Nullable Object value) {
        return value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte;
    }

    private static String typeName(Object value) {
        if (value instanceof String) {
            return "longstr";
        }
        if (value instanceof Boolean) {
            return "bool";
        }
        if (value instanceof Long) {
            return "long";
        }
        if (value instanceof Integer) {
            return "signedint";
        }
        if (value instanceof Short) {
            return "short";
        }
        if (value instanceof Byte) {
            return "byte";
        }
        if (value instanceof Double) {
            return "double";
        }
        if (value instanceof Float) {
            return "float";
        }
        if (value instanceof BigDecimal) {
            return "decimal";
        }
        if (value instanceof Date) {
            return "timestamp";
        }
        if (value instanceof byte[]) {
            return "binary";
        }
        return value instanceof List ? "array" : "table";
    }
}
