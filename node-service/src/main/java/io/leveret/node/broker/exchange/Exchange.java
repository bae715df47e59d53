package io.leveret.node.broker.exchange;

import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.BindingDefinition.Kind;
import io.leveret.model.definition.ExchangeDefinition;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An exchange with its bindings at one moment, ready to route. Immutable. */
public final class Exchange {
    private static final Set<String> TYPES = Set.of("direct", "fanout", "topic", "headers");

    private final ExchangeDefinition definition;
    private final @Nullable String alternate;
    private final BindingTable table;
    private final boolean isSelfContained;

    /**
     * @param alternate the exchange that takes what matches nothing here, or null
     * @param bindings those that lead away from this exchange
     */
    public Exchange(ExchangeDefinition definition, @Nullable String alternate, Collection<BindingDefinition> bindings) {
        this.definition = definition;
        this.alternate = alternate;
        this.table = table(definition.type(), bindings);
        this.isSelfContained = alternate == null
                && bindings.stream().allMatch(binding -> binding.destination().kind() == Kind.QUEUE);
    }

    private static BindingTable table(String type, Collection<BindingDefinition> bindings) {
        return switch (type) {
            case "fanout" -> new FanoutTable(bindings);
            case "topic" -> new TopicTrie(bindings);
            case "headers" -> new HeadersTable(bindings);
            default -> new DirectTable(bindings);
        };
    }

    public static boolean isKnownType(String type) {
        return TYPES.contains(type);
    }

    /** What is wrong with a binding's arguments, as a sentence; nothing for most. */
    public static Optional<String> bindingFault(String type, Map<String, ? extends @Nullable Object> arguments) {
        return type.equals("headers") ? HeadersTable.fault(arguments) : Optional.empty();
    }

    public ExchangeDefinition definition() {
        return definition;
    }

    /** Whether where a message goes depends on its headers, not on its routing key alone. */
    public boolean isByHeaders() {
        return table instanceof HeadersTable;
    }

    /** Whether no other exchange takes part: what was routed once stays right for as long as this object is. */
    public boolean isSelfContained() {
        return isSelfContained;
    }

    @Nullable
    String alternate() {
        return alternate;
    }

    /** Adds what matches any of the keys, or else the alternate exchange. */
    void match(Collection<String> routingKeys, Map<String, ? extends @Nullable Object> headers, Matches matches) {
        int before = matches.found();
        for (String routingKey : routingKeys) {
            table.match(routingKey, headers, matches);
        }
        if (matches.found() == before && alternate != null) {
            matches.addExchange(alternate);
        }
    }
}
