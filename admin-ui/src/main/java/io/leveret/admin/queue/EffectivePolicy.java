package io.leveret.admin.queue;

import io.leveret.admin.web.Json;
import io.leveret.admin.web.Paths;
import io.leveret.model.view.PolicyView;
import io.leveret.model.view.QueueView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What applies to a queue, key by key, with where it comes from and why it won. */
final class EffectivePolicy {
    /** Where both an argument and a policy give a limit, the smaller applies; of other keys the argument does. */
    private static final Set<String> SMALLER_WINS =
            Set.of("message-ttl", "expires", "max-length", "max-length-bytes", "delivery-limit");

    private static final String ARGUMENT = "x-";

    private EffectivePolicy() {}

    /**
     * A key and its value.
     *
     * @param from "policy ha", "operator policy cap", "queue argument x-message-ttl"
     * @param link to the policy; empty when it comes from an argument
     */
    record Row(String key, String value, String from, String link, String why) {}

    static List<Row> of(QueueView queue, @Nullable PolicyView policy, @Nullable PolicyView operator) {
        Map<String, Object> effective = Objects.requireNonNullElse(queue.effectivePolicy(), Map.of());
        Set<String> keys = new TreeSet<>(effective.keySet());
        queue.arguments().keySet().stream()
                .filter(argument -> argument.startsWith(ARGUMENT))
                .forEach(argument -> keys.add(argument.substring(ARGUMENT.length())));
        List<Row> rows = new ArrayList<>();
        for (String key : keys) {
            Object byPolicy = effective.get(key);
            Object byArgument = queue.arguments().get(ARGUMENT + key);
            rows.add(
                    argumentWins(key, byArgument, byPolicy)
                            ? fromArgument(key, byArgument, byPolicy)
                            : fromPolicy(key, byArgument, byPolicy, policy, operator));
        }
        return rows;
    }

    private static boolean argumentWins(String key, @Nullable Object argument, @Nullable Object policy) {
        if (argument == null || policy == null) {
            return argument != null;
        }
        if (!SMALLER_WINS.contains(key)) {
            return true;
        }
        return !(argument instanceof Number one
                && policy instanceof Number other
                && other.longValue() < one.longValue());
    }

    private static Row fromArgument(String key, @Nullable Object argument, @Nullable Object policy) {
        String why = "";
        if (policy != null) {
            why = "the policy asks for " + text(policy)
                    + (SMALLER_WINS.contains(key) ? "; the smaller applies" : "; an argument goes before a policy");
        }
        return new Row(key, text(argument), "queue argument " + ARGUMENT + key, "", why);
    }

    private static Row fromPolicy(
            String key,
            @Nullable Object argument,
            @Nullable Object value,
            @Nullable PolicyView policy,
            @Nullable PolicyView operator) {
        Object byOperator = operator == null ? null : operator.definition().get(key);
        Object byPolicy = policy == null ? null : policy.definition().get(key);
        String why =
                argument == null ? "" : "the queue's argument asks for " + text(argument) + "; the smaller applies";
        if (operator != null && byOperator != null && Json.text(byOperator).equals(Json.text(value))) {
            if (byPolicy != null && !Json.text(byPolicy).equals(Json.text(value))) {
                why = "the policy asks for " + text(byPolicy) + "; the smaller applies";
            }
            return new Row(
                    key,
                    text(value),
                    "operator policy " + operator.name(),
                    Paths.editPolicy("operator-policies", operator.vhost(), operator.name()),
                    why);
        }
        if (policy == null) {
            return new Row(key, text(value), "policy", "", why);
        }
        if (byOperator != null) {
            why = "the operator policy allows " + text(byOperator) + "; the smaller applies";
        }
        return new Row(
                key,
                text(value),
                "policy " + policy.name(),
                Paths.editPolicy("policies", policy.vhost(), policy.name()),
                why);
    }

    private static String text(@Nullable Object value) {
        return value instanceof String text ? text : Json.text(value);
    }
}
