package io.leveret.model.definition;

import io.leveret.model.ShortString;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a policy may say: the one check that pages, HTTP API, command line and import share. The sentences are those that
 * users of RabbitMQ know, values written as it writes them ({@code <<"x">>} for a text).
 *
 * <p>Keys are checked in groups. The general keys come first, by name, then the mirroring keys, then those of federation; the
 * first fault found is the one told. Unknown keys are told only when no known key is at fault.
 */
public final class PolicyValidation {
    /** Beyond it nothing is matched; a pattern that long is a mistake or an attack. */
    private static final int PATTERN_CHARACTERS_MAX = 4096;

    private static final String PATTERN_FAULT = "pattern should be regular expression but is invalid: ";
    private static final int LINE_WIDTH = 80;

    private static final Map<String, Check> GENERAL = general();
    private static final List<Map.Entry<String, Check>> MIRRORING = mirroring();
    private static final Map<String, Check> FEDERATION = federation();

    private PolicyValidation() {}

    /** The fault of a policy, as one sentence; nothing when it is valid. */
    public static Optional<String> check(PolicyDefinition policy) {
        return checkPattern(policy.pattern()).or(() -> checkDefinition(policy.definition()));
    }

    /** The fault of an operator policy, as one sentence; nothing when it is valid. */
    public static Optional<String> checkOperator(PolicyDefinition policy) {
        return checkPattern(policy.pattern()).or(() -> checkOperatorDefinition(policy.definition()));
    }

    /** The text that APIs and the command line wrap around a fault. */
    public static String refusal(String fault) {
        return "Validation failed\n\n" + fault + "\n";
    }

    /** The fault of an apply-to word. */
    public static Optional<String> checkApplyTo(String word) {
        return ApplyTo.of(word).isPresent()
                ? Optional.empty()
                : Optional.of("apply-to '" + word + "' unrecognised; should be 'queues', 'exchanges' or 'all'");
    }

    /** The fault of a pattern. */
    public static Optional<String> checkPattern(String pattern) {
        if (pattern.length() > PATTERN_CHARACTERS_MAX) {
            return Optional.of(PATTERN_FAULT + "longer than " + PATTERN_CHARACTERS_MAX + " characters");
        }
        return BoundedPattern.fault(pattern).map(fault -> {
            String what = "{\"" + fault.what() + "\",";
            String where = fault.index() + "}";
            boolean fits = PATTERN_FAULT.length() + what.length() + where.length() <= LINE_WIDTH;
            return PATTERN_FAULT + what + (fits ? "" : "\n" + " ".repeat(PATTERN_FAULT.length() + 1)) + where;
        });
    }

    /** The fault of a policy's definition. */
    public static Optional<String> checkDefinition(Map<String, Object> definition) {
        if (definition.isEmpty()) {
            return Optional.of("no policy provided");
        }
        Map<String, Object> left = new TreeMap<>(definition);
        return checkGroup(left, GENERAL)
                .or(() -> checkMirroring(left))
                .or(() -> checkFederation(left))
                .or(() -> unrecognised(left));
    }

    /** The fault of an operator policy's definition. */
    public static Optional<String> checkOperatorDefinition(Map<String, Object> definition) {
        if (definition.isEmpty()) {
            return Optional.of("no policy provided");
        }
        Map<String, Object> known = new TreeMap<>(definition);
        known.keySet().retainAll(PolicyKeys.OPERATOR);
        Map<String, Object> unknown = new TreeMap<>(definition);
        unknown.keySet().removeAll(PolicyKeys.OPERATOR);
        return checkGroup(known, GENERAL).or(() -> unrecognised(unknown));
    }

    private static Optional<String> unrecognised(Map<String, Object> left) {
        if (left.isEmpty()) {
            return Optional.empty();
        }
        List<String> pairs = new ArrayList<>();
        left.forEach((key, value) -> pairs.add("{" + Terms.of(key) + "," + Terms.of(value) + "}"));
        return Optional.of("[" + String.join(",", pairs) + "] are not recognised policy settings");
    }

    /** Checks the keys of one group in order of their names, and takes them away. */
    private static Optional<String> checkGroup(Map<String, Object> left, Map<String, Check> group) {
        Optional<String> fault = Optional.empty();
        for (Map.Entry<String, Object> entry : left.entrySet()) {
            Check check = group.get(entry.getKey());
            if (fault.isEmpty() && check != null) {
                fault = check.fault(entry.getValue());
            }
        }
        left.keySet().removeAll(group.keySet());
        return fault;
    }

    private static Optional<String> checkMirroring(Map<String, Object> left) {
        Map<String, Object> given = new TreeMap<>(left);
        given.keySet().removeIf(key -> !key.startsWith("ha-") || !isMirroringKey(key));
        left.keySet().removeAll(given.keySet());
        if (given.isEmpty()) {
            return Optional.empty();
        }
        if (!given.containsKey(PolicyKeys.HA_MODE)) {
            return Optional.of(
                    "ha-mode must be specified to specify ha-params, ha-sync-mode or ha-promote-on-shutdown");
        }
        Object modeWord = given.get(PolicyKeys.HA_MODE);
        Optional<HaMode> mode = modeWord instanceof String word ? HaMode.of(word) : Optional.empty();
        if (mode.isEmpty()) {
            return Optional.of(Terms.of(modeWord) + " is not a valid ha-mode value");
        }
        Optional<String> fault = checkParams(mode.get(), given);
        for (Map.Entry<String, Check> each : MIRRORING) {
            if (fault.isEmpty() && given.containsKey(each.getKey())) {
                fault = each.getValue().fault(given.get(each.getKey()));
            }
        }
        return fault;
    }

    private static boolean isMirroringKey(String key) {
        return key.equals(PolicyKeys.HA_MODE)
                || key.equals(PolicyKeys.HA_PARAMS)
                || MIRRORING.stream().anyMatch(entry -> entry.getKey().equals(key));
    }

    private static Optional<String> checkParams(HaMode mode, Map<String, Object> given) {
        boolean isGiven = given.containsKey(PolicyKeys.HA_PARAMS);
        Object params = given.get(PolicyKeys.HA_PARAMS);
        String shown = isGiven ? Terms.of(params) : "none";
        switch (mode) {
            case ALL:
                return isGiven ? Optional.of("ha-mode=\"all\" does not take parameters") : Optional.empty();
            case EXACTLY:
                return isGiven && isIntegerFrom(1).test(params)
                        ? Optional.empty()
                        : Optional.of("ha-mode=\"exactly\" takes an integer, " + shown + " given");
            case NODES:
            default:
                return checkNodes(isGiven ? params : null, shown);
        }
    }

    private static Optional<String> checkNodes(@Nullable Object params, String shown) {
        if (!(params instanceof List<?> nodes)) {
            return Optional.of("ha-mode=\"nodes\" takes a list, " + shown + " given");
        }
        if (nodes.isEmpty()) {
            return Optional.of("ha-mode=\"nodes\" list must be non-empty");
        }
        List<?> others =
                nodes.stream().filter(node -> !(node instanceof String)).toList();
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of("ha-mode=\"nodes\" takes a list of strings, " + Terms.of(others) + " was not a string");
    }

    private static Optional<String> checkFederation(Map<String, Object> left) {
        long given = left.keySet().stream().filter(FEDERATION::containsKey).count();
        Optional<String> fault = checkGroup(left, FEDERATION);
        if (fault.isEmpty() && given > 1) {
            return Optional.of("cannot specify federation-upstream, federation-upstream-set "
                    + "or federation-upstream-pattern together");
        }
        return fault;
    }

    private static Map<String, Check> general() {
        Map<String, Check> checks = new LinkedHashMap<>();
        checks.put(PolicyKeys.ALTERNATE_EXCHANGE, suffix(isName(), " is not a valid alternate exchange name"));
        checks.put(PolicyKeys.DEAD_LETTER_EXCHANGE, suffix(isName(), " is not a valid dead letter exchange name"));
        checks.put(PolicyKeys.DEAD_LETTER_ROUTING_KEY, suffix(isName(), " is not a valid dead letter routing key"));
        checks.put(
                PolicyKeys.DEAD_LETTER_STRATEGY,
                suffix(isOneOf("at-most-once", "at-least-once"), " is not a valid dead letter strategy"));
        checks.put(PolicyKeys.MESSAGE_TTL, suffix(isIntegerFrom(0), " is not a valid message TTL"));
        checks.put(PolicyKeys.EXPIRES, suffix(isIntegerFrom(1), " is not a valid queue expiry"));
        checks.put(PolicyKeys.MAX_LENGTH, suffix(isIntegerFrom(0), " is not a valid maximum length"));
        checks.put(PolicyKeys.MAX_LENGTH_BYTES, suffix(isIntegerFrom(0), " is not a valid maximum length in bytes"));
        checks.put(
                PolicyKeys.MAX_IN_MEMORY_LENGTH, suffix(isIntegerFrom(0), " is not a valid maximum memory in bytes"));
        checks.put(PolicyKeys.MAX_IN_MEMORY_BYTES, suffix(isIntegerFrom(0), " is not a valid maximum memory in bytes"));
        checks.put(PolicyKeys.DELIVERY_LIMIT, suffix(isIntegerFrom(0), " is not a valid delivery limit"));
        checks.put(
                PolicyKeys.OVERFLOW,
                suffix(isOneOf("drop-head", "reject-publish", "reject-publish-dlx"), " is not a valid overflow value"));
        checks.put(PolicyKeys.QUEUE_MODE, suffix(isOneOf("default", "lazy"), " is not a valid queue-mode value"));
        checks.put(
                PolicyKeys.QUEUE_VERSION,
                suffix(
                        isIntegerFrom(1).and(value -> ((Number) value).longValue() <= 2),
                        " is not a valid queue-version value"));
        checks.put(
                PolicyKeys.QUEUE_MASTER_LOCATOR,
                suffix(isOneOf("min-masters", "client-local", "random"), " invalid queue-master-locator value"));
        checks.put(
                PolicyKeys.QUEUE_LEADER_LOCATOR,
                suffix(
                        isOneOf("client-local", "balanced", "random", "least-leaders"),
                        " is not a valid queue leader locator value"));
        checks.put(PolicyKeys.MAX_AGE, suffix(isText(), " is not a valid max age"));
        checks.put(PolicyKeys.STREAM_MAX_SEGMENT_SIZE_BYTES, suffix(isIntegerFrom(0), " is not a valid segment size"));
        checks.put(PolicyKeys.INITIAL_CLUSTER_SIZE, suffix(isIntegerFrom(1), " is not a valid cluster size"));
        checks.put(PolicyKeys.TARGET_GROUP_SIZE, suffix(isIntegerFrom(0), " is not a valid target group size"));
        return checks;
    }

    private static List<Map.Entry<String, Check>> mirroring() {
        return List.of(
                Map.entry(
                        PolicyKeys.HA_SYNC_MODE,
                        prefix(
                                isOneOf("manual", "automatic"),
                                "ha-sync-mode must be \"manual\" or \"automatic\", got ")),
                Map.entry(PolicyKeys.HA_SYNC_BATCH_SIZE, integerAboveZero(PolicyKeys.HA_SYNC_BATCH_SIZE)),
                Map.entry(PolicyKeys.HA_PROMOTE_ON_SHUTDOWN, promotion(PolicyKeys.HA_PROMOTE_ON_SHUTDOWN)),
                Map.entry(PolicyKeys.HA_PROMOTE_ON_FAILURE, promotion(PolicyKeys.HA_PROMOTE_ON_FAILURE)),
                Map.entry(PolicyKeys.HA_MIN_IN_SYNC, integerAboveZero(PolicyKeys.HA_MIN_IN_SYNC)),
                Map.entry(
                        PolicyKeys.HA_REPLACE_LOST,
                        prefix(Boolean.class::isInstance, "ha-replace-lost must be true or false, got ")));
    }

    private static Map<String, Check> federation() {
        return Map.of(
                PolicyKeys.FEDERATION_UPSTREAM, suffix(isText(), " is not a valid federation upstream name"),
                PolicyKeys.FEDERATION_UPSTREAM_SET, suffix(isText(), " is not a valid federation upstream set name"),
                PolicyKeys.FEDERATION_UPSTREAM_PATTERN,
                        suffix(
                                value -> value instanceof String pattern
                                        && checkPattern(pattern).isEmpty(),
                                " is not a valid federation upstream pattern"));
    }

    private static Check promotion(String key) {
        return prefix(isOneOf("always", "when-synced"), key + " must be \"always\" or \"when-synced\", got ");
    }

    private static Check integerAboveZero(String key) {
        return value -> isIntegerFrom(1).test(value)
                ? Optional.empty()
                : Optional.of(key + " takes an integer greater than 0, " + Terms.of(value) + " given");
    }

    private static Check suffix(Predicate<Object> isValid, String sentence) {
        return value -> isValid.test(value) ? Optional.empty() : Optional.of(Terms.of(value) + sentence);
    }

    private static Check prefix(Predicate<Object> isValid, String sentence) {
        return value -> isValid.test(value) ? Optional.empty() : Optional.of(sentence + Terms.of(value));
    }

    private static Predicate<Object> isText() {
        return String.class::isInstance;
    }

    /** What clients get to see as an exchange or a routing key. */
    private static Predicate<Object> isName() {
        return value -> value instanceof String text && ShortString.fits(text);
    }

    private static Predicate<Object> isOneOf(String... words) {
        return value -> value instanceof String word && List.of(words).contains(word);
    }

    private static Predicate<Object> isIntegerFrom(long least) {
        return value -> (value instanceof Long || value instanceof Integer || value instanceof Short)
                && ((Number) value).longValue() >= least;
    }

    /** One key's rule. */
    @FunctionalInterface
    private interface Check {
        Optional<String> fault(@Nullable Object value);
    }
}
