package io.leveret.node.broker.definitions;

import io.leveret.model.NodeName;
import io.leveret.model.definition.HaMode;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.PolicyKeys;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The policy and the operator policy that apply to one queue or exchange, merged key by key. Only one of each ever applies.
 *
 * @param policy the name of the policy, or null
 * @param operatorPolicy the name of the operator policy, or null
 * @param definition the merged keys, sorted
 * @param mirroring what the ha-* keys ask for, or null without a (known) ha-mode
 */
public record EffectivePolicy(
        @Nullable String policy,
        @Nullable String operatorPolicy,
        Map<String, Object> definition,
        @Nullable MirroringPolicy mirroring) {

    /** Nothing applies. */
    public static final EffectivePolicy NONE = new EffectivePolicy(null, null, Map.of(), null);

    private static final Set<String> SMALLER = PolicyKeys.OPERATOR;

    /** Merges what applies; either may be missing. */
    public static EffectivePolicy merge(@Nullable PolicyDefinition policy, @Nullable PolicyDefinition operatorPolicy) {
        if (policy == null && operatorPolicy == null) {
            return NONE;
        }
        Map<String, Object> merged = new TreeMap<>();
        if (policy != null) {
            merged.putAll(policy.definition());
        }
        if (operatorPolicy != null) {
            operatorPolicy.definition().forEach((key, value) -> merged.merge(key, value, rule(key)));
        }
        return new EffectivePolicy(
                policy == null ? null : policy.name(),
                operatorPolicy == null ? null : operatorPolicy.name(),
                Collections.unmodifiableMap(merged),
                mirroringOf(merged));
    }

    /** How two values of a key become one: (policy's, operator's) → effective. */
    private static BinaryOperator<Object> rule(String key) {
        if (SMALLER.contains(key)) {
            return (user, operator) -> user instanceof Number a && operator instanceof Number b
                    ? (a.longValue() <= b.longValue() ? user : operator)
                    : operator;
        }
        return switch (key) {
            case PolicyKeys.HA_MODE -> (user, operator) -> rank(user) >= rank(operator) ? user : operator;
            case PolicyKeys.HA_PARAMS -> EffectivePolicy::largerParams;
            default -> (user, operator) -> operator;
        };
    }

    private static int rank(Object mode) {
        return switch (String.valueOf(mode)) {
            case "all" -> 3;
            case "exactly" -> 2;
            case "nodes" -> 1;
            default -> 0;
        };
    }

    private static Object largerParams(Object user, Object operator) {
        if (user instanceof Number a) {
            return operator instanceof Number b && b.longValue() > a.longValue() ? operator : user;
        }
        if (operator instanceof Number) {
            return operator;
        }
        return user instanceof List<?> a && operator instanceof List<?> b && a.size() > b.size() ? user : operator;
    }

    private static @Nullable MirroringPolicy mirroringOf(Map<String, Object> keys) {
        HaMode mode = keys.get(PolicyKeys.HA_MODE) instanceof String word
                ? HaMode.of(word).orElse(null)
                : null;
        if (mode == null) {
            return null;
        }
        Object params = keys.get(PolicyKeys.HA_PARAMS);
        int count = mode == HaMode.EXACTLY ? integer(params, 0) : 0;
        List<NodeName> nodes = mode == HaMode.NODES && params instanceof List<?> list
                ? list.stream()
                        .filter(String.class::isInstance)
                        .map(String.class::cast)
                        .filter(name -> !name.isEmpty())
                        .distinct()
                        .map(NodeName::new)
                        .toList()
                : List.of();
        // A merge can leave a mode with the parameters of the other side's mode: then there is nothing to go by.
        if ((mode == HaMode.EXACTLY && count < 1) || (mode == HaMode.NODES && nodes.isEmpty())) {
            return null;
        }
        return new MirroringPolicy(
                mode,
                count,
                nodes,
                "automatic".equals(keys.get(PolicyKeys.HA_SYNC_MODE)),
                integer(keys.get(PolicyKeys.HA_SYNC_BATCH_SIZE), 0),
                "always".equals(keys.get(PolicyKeys.HA_PROMOTE_ON_SHUTDOWN)),
                !"when-synced".equals(keys.get(PolicyKeys.HA_PROMOTE_ON_FAILURE)),
                integer(keys.get(PolicyKeys.HA_MIN_IN_SYNC), 1),
                !Boolean.FALSE.equals(keys.get(PolicyKeys.HA_REPLACE_LOST)));
    }

    private static int integer(@Nullable Object value, int otherwise) {
        return value instanceof Number number
                ? (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, number.longValue()))
                : otherwise;
    }

    /** A number of the policy, such as {@code max-length}, or null. */
    public @Nullable Long number(String key) {
        return definition.get(key) instanceof Number number ? number.longValue() : null;
    }

    /** A text of the policy, such as {@code overflow}, or null. */
    public @Nullable String text(String key) {
        return definition.get(key) instanceof String text ? text : null;
    }

    /** The smaller of a queue's argument and the policy's value: for time-outs and limits. Null when neither is there. */
    public @Nullable Long smaller(@Nullable Object argument, String key) {
        Long own = argument instanceof Number number ? number.longValue() : null;
        Long other = number(key);
        if (own == null) {
            return other;
        }
        if (other == null) {
            return own;
        }
        return Math.min(own, other);
    }
}
