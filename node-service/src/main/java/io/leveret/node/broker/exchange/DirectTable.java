package io.leveret.node.broker.exchange;

import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.BindingDefinition.Destination;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Direct: the routing key is the binding key. */
final class DirectTable implements BindingTable {
    private final Map<String, List<Destination>> byKey = new HashMap<>();

    DirectTable(Collection<BindingDefinition> bindings) {
        bindings.forEach(binding -> byKey.computeIfAbsent(binding.bindingKey(), key -> new ArrayList<>())
                .add(binding.destination()));
    }

    @Override
    public void match(String routingKey, Map<String, ? extends @Nullable Object> headers, Matches matches) {
        byKey.getOrDefault(routingKey, List.of()).forEach(matches::add);
    }
}
