package io.leveret.node.broker.exchange;

import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.BindingDefinition.Destination;
import io.leveret.node.broker.message.FieldTableCodec;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Headers: the binding's arguments are compared with the message's headers. {@code x-match} says how many must fit: all (the
 * rule when it is missing) or any. Arguments whose names begin with {@code x-} only count with all-with-x and any-with-x. An
 * argument without a value fits when the header is there at all; numbers fit when their values are equal.
 */
final class HeadersTable implements BindingTable {
    private static final String X_MATCH = "x-match";
    private static final Set<String> RULES = Set.of("all", "any", "all-with-x", "any-with-x");

    private final List<Row> rows;

    HeadersTable(Collection<BindingDefinition> bindings) {
        rows = bindings.stream().map(HeadersTable::row).toList();
    }

    private static Row row(BindingDefinition binding) {
        Object rule = binding.arguments().get(X_MATCH);
        String word = rule instanceof String text ? text : "all";
        boolean isWithX = word.endsWith("-with-x");
        Map<String, @Nullable Object> wanted = new HashMap<>(binding.arguments());
        wanted.keySet().removeIf(name -> name.equals(X_MATCH) || (name.startsWith("x-") && !isWithX));
        return new Row(binding.destination(), word.startsWith("any"), wanted);
    }

    @Override
    public void match(String routingKey, Map<String, ? extends @Nullable Object> headers, Matches matches) {
        for (Row row : rows) {
            if (row.fits(headers)) {
                matches.add(row.destination);
            }
        }
    }

    /** What is wrong with the arguments of a binding to a headers exchange: a sentence, or nothing. */
    static Optional<String> fault(Map<String, ? extends @Nullable Object> arguments) {
        if (!arguments.containsKey(X_MATCH)) {
            return Optional.empty();
        }
        Object rule = arguments.get(X_MATCH);
        if (!(rule instanceof String word)) {
            return Optional.of("Invalid x-match field type "
                    + FieldTableCodec.typeName(rule) + " (value " + rule
                    + "); expected longstr");
        }
        return RULES.contains(word)
                ? Optional.empty()
                : Optional.of("Invalid x-match field value <<\"" + word
                        + "\">>; expected all, any, all-with-x, or any-with-x");
    }

    private static boolean isEqual(@Nullable Object wanted, @Nullable Object given) {
        if (wanted instanceof Number a && given instanceof Number b) {
            return decimal(a).compareTo(decimal(b)) == 0;
        }
        return Objects.deepEquals(wanted, given);
    }

    private static BigDecimal decimal(Number number) {
        if (number instanceof BigDecimal decimal) {
            return decimal;
        }
        double value = number.doubleValue();
        boolean isFraction = number instanceof Double || number instanceof Float;
        // Infinity and NaN are no decimals; they equal nothing that a binding could usefully ask for.
        return isFraction
                ? (Double.isFinite(value) ? BigDecimal.valueOf(value) : BigDecimal.valueOf(Double.MAX_VALUE))
                : BigDecimal.valueOf(number.longValue());
    }

    /** One binding. */
    private record Row(Destination destination, boolean isAny, Map<String, @Nullable Object> wanted) {
        boolean fits(Map<String, ? extends @Nullable Object> headers) {
            for (Map.Entry<String, @Nullable Object> each : wanted.entrySet()) {
                boolean isFit = headers.containsKey(each.getKey())
                        && (each.getValue() == null || isEqual(each.getValue(), headers.get(each.getKey())));
                if (isFit == isAny) {
                    return isAny;
                }
            }
            return !isAny;
        }
    }
}
