package io.leveret.node.broker.definitions;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.QueueDefinition;
import java.util.List;
import java.util.Set;

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
}
