package io.leveret.node.broker.definitions;

import io.leveret.model.ExchangeName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.BindingDefinition.Destination;
import io.leveret.model.definition.BindingDefinition.Kind;
import java.util.Arrays;
import java.util.Comparator;

/**
 * The identity of a binding, as an order: source, destination, key, arguments. Arguments compare by their bytes with the keys
 * sorted, because byte arrays among them have no usable equals and clients send them in any order.
 */
final class BindingOrder {
    static final Comparator<BindingDefinition> INSTANCE = Comparator.comparing(BindingDefinition::source)
            .thenComparing(b -> b.destination().kind())
            .thenComparing(b -> b.destination().name())
            .thenComparing(BindingDefinition::bindingKey)
            .thenComparing(BindingOrder::compareArguments);

    private BindingOrder() {}

    private static int compareArguments(BindingDefinition a, BindingDefinition b) {
        if (a.arguments().isEmpty() && b.arguments().isEmpty()) {
            return 0;
        }
        return Arrays.compareUnsigned(FieldValues.encoded(a.arguments()), FieldValues.encoded(b.arguments()));
    }

    /** The far end of a binding with its vhost: the key of the index by destination. */
    record Target(VhostName vhost, Kind kind, String name) implements Comparable<Target> {
        private static final Comparator<Target> ORDER =
                Comparator.comparing(Target::vhost).thenComparing(Target::kind).thenComparing(Target::name);

        static Target of(BindingDefinition binding) {
            Destination destination = binding.destination();
            return new Target(binding.vhost(), destination.kind(), destination.name());
        }

        static Target of(ExchangeName exchange) {
            return new Target(exchange.vhost(), Kind.EXCHANGE, exchange.value());
        }

        @Override
        public int compareTo(Target other) {
            return ORDER.compare(this, other);
        }
    }
}
