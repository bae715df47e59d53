package io.leveret.node.broker.definitions;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.QueueDefinition;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * What one change did, cascades included, in the order it was done. Within each list the order is that of the effects.
 *
 * @param isReload true after an image was installed as a whole: nothing is listed and everything may differ
 * @param policies vhosts whose policies or operator policies changed
 * @param access users who changed, or whose permissions or topic permissions changed
 * @param hasParameters vhost or global parameters, or limits, changed
 */
public record DefinitionsDelta(
        boolean isReload,
        List<VhostName> vhostsCreated,
        List<VhostName> vhostsDeleted,
        List<ExchangeDefinition> exchangesDeclared,
        List<ExchangeDefinition> exchangesDeleted,
        List<QueueDefinition> queuesDeclared,
        List<QueueDefinition> queuesDeleted,
        List<BindingDefinition> bindingsAdded,
        List<BindingDefinition> bindingsRemoved,
        Set<VhostName> policies,
        Set<UserName> access,
        boolean hasParameters) {
    /** The definitions are the same. */
    public static final DefinitionsDelta NONE = of(false);

    /** Everything may differ. */
    public static final DefinitionsDelta RELOAD = of(true);

    private static DefinitionsDelta of(boolean isReload) {
        return new DefinitionsDelta(
                isReload, List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(),
                Set.of(), Set.of(), false);
    }

    /** What several changes did, one after the other. */
    public static DefinitionsDelta merge(List<DefinitionsDelta> deltas) {
        if (deltas.size() == 1) {
            return deltas.get(0);
        }
        if (deltas.isEmpty()) {
            return NONE;
        }
        return new DefinitionsDelta(
                deltas.stream().anyMatch(DefinitionsDelta::isReload),
                joined(deltas, DefinitionsDelta::vhostsCreated),
                joined(deltas, DefinitionsDelta::vhostsDeleted),
                joined(deltas, DefinitionsDelta::exchangesDeclared),
                joined(deltas, DefinitionsDelta::exchangesDeleted),
                joined(deltas, DefinitionsDelta::queuesDeclared),
                joined(deltas, DefinitionsDelta::queuesDeleted),
                joined(deltas, DefinitionsDelta::bindingsAdded),
                joined(deltas, DefinitionsDelta::bindingsRemoved),
                Set.copyOf(joined(deltas, DefinitionsDelta::policies)),
                Set.copyOf(joined(deltas, DefinitionsDelta::access)),
                deltas.stream().anyMatch(DefinitionsDelta::hasParameters));
    }

    private static <T> List<T> joined(
            List<DefinitionsDelta> deltas, Function<DefinitionsDelta, ? extends Collection<T>> part) {
        return deltas.stream().flatMap(delta -> part.apply(delta).stream()).toList();
    }
}
