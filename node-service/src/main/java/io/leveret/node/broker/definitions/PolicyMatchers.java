package io.leveret.node.broker.definitions;

import io.leveret.model.VhostName;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.QueueDefinition;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/** Policies ready to match, kept while those of their vhost stay as they are. Any thread. Bound: one per vhost. */
public final class PolicyMatchers {
    private final Map<VhostName, Compiled> byVhost = new ConcurrentHashMap<>();

    private record Compiled(
            SortedMap<String, PolicyDefinition> policies,
            SortedMap<String, PolicyDefinition> operatorPolicies,
            PolicyMatcher matcher) {}

    /** What applies to a queue of this image. */
    public EffectivePolicy forQueue(DefinitionsImage image, QueueDefinition queue) {
        VhostName vhost = queue.name().vhost();
        SortedMap<String, PolicyDefinition> policies = image.policies(vhost);
        SortedMap<String, PolicyDefinition> operatorPolicies = image.operatorPolicies(vhost);
        Compiled compiled = byVhost.get(vhost);
        // Images share what did not change, so comparing is nearly always comparing a map with itself.
        if (compiled == null
                || !compiled.policies().equals(policies)
                || !compiled.operatorPolicies().equals(operatorPolicies)) {
            compiled = new Compiled(
                    policies, operatorPolicies, new PolicyMatcher(policies.values(), operatorPolicies.values()));
            byVhost.keySet().retainAll(image.vhosts().keySet());
            byVhost.put(vhost, compiled);
        }
        return compiled.matcher().forQueue(queue);
    }
}
