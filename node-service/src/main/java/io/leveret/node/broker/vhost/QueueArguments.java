package io.leveret.node.broker.vhost;

import io.leveret.model.QueueName;
import io.leveret.model.ShortString;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.message.FieldTableCodec;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules of a queue's x-arguments, checked when it is created. Unknown arguments are kept and mean nothing. Pure. */
final class QueueArguments {
    private static final String DEAD_LETTER_EXCHANGE = "x-dead-letter-exchange";
    /** The longest time a queue's timers take, in milliseconds: 2^32 − 1. */
    private static final long MILLIS_MAX = 4_294_967_295L;

    private static final long PRIORITY_MAX = 255;

    private static final Map<String, Rule> RULES = rules();

    /** Arguments of kinds of queues that this broker does not have. */
    private static final Set<String> NOT_FOR_CLASSIC_QUEUES = Set.of(
            "x-delivery-limit",
            "x-max-age",
            "x-stream-max-segment-size-bytes",
            "x-quorum-initial-group-size",
            "x-initial-cluster-size",
            "x-queue-leader-locator");

    private QueueArguments() {}

    /** What is wrong with a queue that is to be made, as a sentence; nothing when it can be. */
    static Optional<String> fault(QueueDefinition queue) {
        return quorumFault(queue).or(() -> fault(queue.name(), queue.arguments()));
    }

    /** There are no quorum queues here; those that no broker would make are refused in the words that are known for it. */
    private static Optional<String> quorumFault(QueueDefinition queue) {
        if (!"quorum".equals(queue.arguments().get("x-queue-type"))) {
            return Optional.empty();
        }
        for (String argument : List.of("x-max-priority", "x-queue-mode")) {
            if (queue.arguments().containsKey(argument)) {
                return Optional.of("invalid arg '" + argument + "' for queue " + queue.name()
                        + " of queue type rabbit_quorum_queue");
            }
        }
        String property = queue.isExclusive() ? "exclusive-owner" : !queue.isDurable() ? "non-durable" : "";
        return property.isEmpty()
                ? Optional.empty()
                : Optional.of("invalid property '" + property + "' for queue " + queue.name());
    }

    /** What is wrong with the arguments, as a sentence; nothing when they can be used. */
    static Optional<String> fault(QueueName queue, Map<String, ? extends @Nullable Object> arguments) {
        if (arguments.containsKey(DEAD_LETTER_EXCHANGE) && !(arguments.get(DEAD_LETTER_EXCHANGE) instanceof String)) {
            return Optional.of("invalid type '" + FieldTableCodec.typeName(arguments.get(DEAD_LETTER_EXCHANGE))
                    + "' for arg '" + DEAD_LETTER_EXCHANGE + "' in queue " + queue);
        }
        Optional<String> tooLong = tooLong(arguments.get(DEAD_LETTER_EXCHANGE));
        if (tooLong.isPresent()) {
            return tooLong.map(what -> "invalid arg '" + DEAD_LETTER_EXCHANGE + "' for queue " + queue + ": " + what);
        }
        for (Map.Entry<String, Rule> each : RULES.entrySet()) {
            if (arguments.containsKey(each.getKey())) {
                Optional<String> fault = each.getValue().fault(arguments.get(each.getKey()), arguments);
                if (fault.isPresent()) {
                    return fault.map(what -> "invalid arg '" + each.getKey() + "' for queue " + queue + ": " + what);
                }
            }
        }
        return arguments.keySet().stream()
                .filter(NOT_FOR_CLASSIC_QUEUES::contains)
                .sorted()
                .findFirst()
                .map(name -> "invalid arg '" + name + "' for queue " + queue + " of queue type rabbit_classic_queue");
    }

    private static Map<String, Rule> rules() {
        Map<String, Rule> rules = new LinkedHashMap<>();
        rules.put(
                "x-expires",
                (value, all) -> integer(value).or(() -> {
                    long millis = asLong(value);
                    return millis == 0 ? Optional.of("{value_zero,0}") : range(millis, MILLIS_MAX, "value_too_large");
                }));
        rules.put("x-message-ttl", numberUpTo(MILLIS_MAX, "value_too_large"));
        rules.put(
                "x-dead-letter-routing-key",
                (value, all) -> text(value)
                        .or(() -> tooLong(value))
                        .or(() -> all.containsKey(DEAD_LETTER_EXCHANGE)
                                ? Optional.empty()
                                : Optional.of("routing_key_but_no_dlx_defined")));
        rules.put(
                "x-dead-letter-strategy",
                (value, all) -> text(value)
                        .or(() -> List.of("at-most-once", "at-least-once").contains(value)
                                ? Optional.empty()
                                : Optional.of("invalid_dlx_strategy")));
        rules.put("x-max-length", numberUpTo(Long.MAX_VALUE, ""));
        rules.put("x-max-length-bytes", numberUpTo(Long.MAX_VALUE, ""));
        rules.put("x-max-in-memory-length", numberUpTo(Long.MAX_VALUE, ""));
        rules.put("x-max-in-memory-bytes", numberUpTo(Long.MAX_VALUE, ""));
        rules.put("x-max-priority", numberUpTo(PRIORITY_MAX, "max_value_exceeded"));
        rules.put(
                "x-overflow",
                (value, all) -> text(value)
                        .or(() -> List.of("drop-head", "reject-publish", "reject-publish-dlx")
                                        .contains(value)
                                ? Optional.empty()
                                : Optional.of("invalid_overflow")));
        rules.put("x-queue-mode", wordOf("queue mode", "default", "lazy"));
        rules.put(
                "x-queue-version",
                (value, all) -> integer(value).or(() -> {
                    long version = asLong(value);
                    return version == 1 || version == 2
                            ? Optional.empty()
                            : Optional.of("\"unsupported queue version '" + version + "'\"");
                }));
        rules.put(
                "x-single-active-consumer",
                (value, all) -> value instanceof Boolean ? Optional.empty() : unacceptable(value));
        rules.put("x-queue-type", wordOf("queue type", "classic"));
        return rules;
    }

    /** Of what {@code integer} found to be a number. */
    private static long asLong(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : 0;
    }

    private static Rule numberUpTo(long most, String beyond) {
        return (value, all) -> integer(value).or(() -> range(asLong(value), most, beyond));
    }

    private static Rule wordOf(String what, String... words) {
        return (value, all) -> text(value)
                .or(() -> List.of(words).contains(value)
                        ? Optional.empty()
                        : Optional.of("\"unsupported " + what + " '" + value + "'\""));
    }

    private static Optional<String> integer(@Nullable Object value) {
        return value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte
                ? Optional.empty()
                : Optional.of("\"expected integer, got " + FieldTableCodec.typeName(value) + "\"");
    }

    private static Optional<String> text(@Nullable Object value) {
        return value instanceof String ? Optional.empty() : unacceptable(value);
    }

    /** Exchanges and routing keys are short strings. */
    private static Optional<String> tooLong(@Nullable Object value) {
        return value instanceof String text && !ShortString.fits(text)
                ? Optional.of("{value_too_long," + text.getBytes(StandardCharsets.UTF_8).length + "}")
                : Optional.empty();
    }

    private static Optional<String> unacceptable(@Nullable Object value) {
        return Optional.of("{unacceptable_type," + FieldTableCodec.typeName(value) + "}");
    }

    private static Optional<String> range(long number, long most, String beyond) {
        if (number < 0) {
            return Optional.of("{value_negative," + number + "}");
        }
        return number > most ? Optional.of("{" + beyond + "," + number + "}") : Optional.empty();
    }

    /** The rule of one argument. */
    @FunctionalInterface
    private interface Rule {
        Optional<String> fault(@Nullable Object value, Map<String, ? extends @Nullable Object> all);
    }
}
