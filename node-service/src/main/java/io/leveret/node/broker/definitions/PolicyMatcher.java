package io.leveret.node.broker.definitions;

import io.leveret.model.definition.BoundedPattern;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.PolicyKeys;
import io.leveret.model.definition.QueueDefinition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the policies that apply to the queues and exchanges of one vhost. Immutable; patterns are compiled once, so keep a
 * matcher for as long as the vhost's policies stay as they are. Of several policies that match, the one with the highest
 * priority applies; of equal ones, the one whose name sorts first by code point.
 */
public final class PolicyMatcher {
    private static final Comparator<PolicyDefinition> BEST_FIRST = Comparator.comparingInt(PolicyDefinition::priority)
            .reversed()
            .thenComparing(PolicyDefinition::name, PolicyMatcher::compareByCodePoint);

    private final List<Row> policies;
    private final List<Row> operatorPolicies;

    /** @param policies policies of one vhost; those with a pattern that does not compile match nothing */
    public PolicyMatcher(Collection<PolicyDefinition> policies, Collection<PolicyDefinition> operatorPolicies) {
        this.policies = rows(policies);
        this.operatorPolicies = rows(operatorPolicies);
    }

    /** What applies to a queue. The ha-* keys of an exclusive queue have no effect: see {@link EffectivePolicy#mirroring}. */
    public EffectivePolicy forQueue(QueueDefinition queue) {
        EffectivePolicy effective = forQueue(queue.name().value());
        return queue.isExclusive() && effective.mirroring() != null
                ? new EffectivePolicy(effective.policy(), effective.operatorPolicy(), effective.definition(), null)
                : effective;
    }

    /** What would apply to a queue of this name that is not exclusive. */
    public EffectivePolicy forQueue(String queue) {
        return effective(queue, row -> row.policy.applyTo().coversQueues() && row.isForQueues);
    }

    /** What applies to an exchange. */
    public EffectivePolicy forExchange(String exchange) {
        return effective(exchange, row -> row.policy.applyTo().coversExchanges());
    }

    /** All policies that match a queue of this name, the one that applies first. */
    public List<PolicyDefinition> matchingQueue(String queue) {
        return policies.stream()
                .filter(row -> row.policy.applyTo().coversQueues() && row.isForQueues && row.pattern.isIn(queue))
                .map(Row::policy)
                .toList();
    }

    private EffectivePolicy effective(String name, Predicate<Row> covers) {
        PolicyDefinition policy = first(policies, name, covers);
        PolicyDefinition operatorPolicy = first(operatorPolicies, name, covers);
        return EffectivePolicy.merge(policy, operatorPolicy);
    }

    private static @Nullable PolicyDefinition first(List<Row> rows, String name, Predicate<Row> covers) {
        for (Row row : rows) {
            if (covers.test(row) && row.pattern.isIn(name)) {
                return row.policy;
            }
        }
        return null;
    }

    private static List<Row> rows(Collection<PolicyDefinition> policies) {
        List<Row> rows = new ArrayList<>();
        for (PolicyDefinition policy : policies.stream().sorted(BEST_FIRST).toList()) {
            try {
                boolean isForQueues =
                        policy.definition().keySet().stream().noneMatch(PolicyKeys.NOT_FOR_CLASSIC_QUEUES::contains);
                rows.add(new Row(policy, BoundedPattern.compile(policy.pattern()), isForQueues));
            } catch (IllegalArgumentException e) {
                // It got past validation in another version: it matches nothing rather than stopping the broker.
                continue;
            }
        }
        return rows;
    }

    /** UTF-8 sorts by code point, UTF-16 does not. */
    private static int compareByCodePoint(String a, String b) {
        return Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    /** A policy ready to match. */
    private record Row(PolicyDefinition policy, BoundedPattern pattern, boolean isForQueues) {}
}
