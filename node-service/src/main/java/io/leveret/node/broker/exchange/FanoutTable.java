package io.leveret.node.broker.exchange;

import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.BindingDefinition.Destination;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Fanout: every binding matches every message. */
final class FanoutTable implements BindingTable {
    private final List<Destination> destinations;

    FanoutTable(Collection<BindingDefinition> bindings) {
        destinations =
                bindings.stream().map(BindingDefinition::destination).distinct().toList();
    }

    @Override
    public void match(String routingKey, Map<String, ? extends @Nullable Object> headers, Matches matches) {
        destinations.forEach(matches::add);
    }
}
