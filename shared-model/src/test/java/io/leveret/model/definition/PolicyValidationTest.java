package io.leveret.model.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.model.VhostName;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyValidationTest {
    private static String fault(Object... keysAndValues) {
        return PolicyValidation.checkDefinition(map(keysAndValues)).orElse("");
    }

    private static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    @Test
    void namesFitIntoAFrame() {
        for (String key : List.of("alternate-exchange", "dead-letter-exchange", "dead-letter-routing-key")) {
            assertThat(PolicyValidation.checkDefinition(Map.of(key, "k".repeat(255))))
                    .isEmpty();
            assertThat(PolicyValidation.checkDefinition(Map.of(key, "k".repeat(256))))
                    .hasValueSatisfying(fault -> assertThat(fault).contains("is not a valid"));
        }
    }

    @Test
    void emptyAndUnknownDefinitions() {
        assertThat(fault()).isEqualTo("no policy provided");
        assertThat(fault("foo", "bar")).isEqualTo("[{<<\"foo\">>,<<\"bar\">>}] are not recognised policy settings");
        assertThat(fault("foo", "bar", "ha-mode", "all"))
                .isEqualTo("[{<<\"foo\">>,<<\"bar\">>}] are not recognised policy settings");
        assertThat(fault("consumer-timeout", -1L))
                .isEqualTo("[{<<\"consumer-timeout\">>,-1}] are not recognised policy settings");
        assertThat(fault("foo", map("a", List.of(1L, true)), "goo", null))
                .isEqualTo("[{<<\"foo\">>,#{<<\"a\">> => [1,true]}},{<<\"goo\">>,null}]"
                        + " are not recognised policy settings");
    }

    @Test
    void mirroringModes() {
        assertThat(fault("ha-mode", "bogus")).isEqualTo("<<\"bogus\">> is not a valid ha-mode value");
        assertThat(fault("ha-mode", "ALL")).isEqualTo("<<\"ALL\">> is not a valid ha-mode value");
        assertThat(fault("ha-mode", 1L)).isEqualTo("1 is not a valid ha-mode value");
        assertThat(fault("ha-mode", null)).isEqualTo("null is not a valid ha-mode value");
        assertThat(fault("ha-mode", "exactly")).isEqualTo("ha-mode=\"exactly\" takes an integer, none given");
        assertThat(fault("ha-mode", "exactly", "ha-params", 0L))
                .isEqualTo("ha-mode=\"exactly\" takes an integer, 0 given");
        assertThat(fault("ha-mode", "exactly", "ha-params", "2"))
                .isEqualTo("ha-mode=\"exactly\" takes an integer, <<\"2\">> given");
        assertThat(fault("ha-mode", "exactly", "ha-params", 1.5))
                .isEqualTo("ha-mode=\"exactly\" takes an integer, 1.5 given");
        assertThat(fault("ha-mode", "exactly", "ha-params", List.of(2L)))
                .isEqualTo("ha-mode=\"exactly\" takes an integer, [2] given");
        assertThat(fault("ha-mode", "nodes")).isEqualTo("ha-mode=\"nodes\" takes a list, none given");
        assertThat(fault("ha-mode", "nodes", "ha-params", List.of()))
                .isEqualTo("ha-mode=\"nodes\" list must be non-empty");
        assertThat(fault("ha-mode", "nodes", "ha-params", 5L)).isEqualTo("ha-mode=\"nodes\" takes a list, 5 given");
        assertThat(fault("ha-mode", "nodes", "ha-params", List.of("rabbit1@localhost", 1L)))
                .isEqualTo("ha-mode=\"nodes\" takes a list of strings, [1] was not a string");
        assertThat(fault("ha-mode", "all", "ha-params", 2L)).isEqualTo("ha-mode=\"all\" does not take parameters");
        assertThat(fault("ha-mode", "exactly", "ha-params", 99)).isEmpty();
        assertThat(fault("ha-mode", "nodes", "ha-params", List.of("ghost@nowhere")))
                .isEmpty();
        assertThat(fault("ha-mode", "all")).isEmpty();
    }

    @Test
    void everyOtherMirroringKeyNeedsAMode() {
        for (String key : List.of(
                "ha-params",
                "ha-sync-mode",
                "ha-promote-on-shutdown",
                "ha-promote-on-failure",
                "ha-sync-batch-size",
                "ha-min-in-sync",
                "ha-replace-lost")) {
            assertThat(fault(key, "always"))
                    .isEqualTo(
                            "ha-mode must be specified to specify ha-params, ha-sync-mode or ha-promote-on-shutdown");
        }
        assertThat(fault("ha-foo", 1L)).isEqualTo("[{<<\"ha-foo\">>,1}] are not recognised policy settings");
    }

    @Test
    void valuesOfMirroringKeys() {
        assertThat(fault("ha-mode", "all", "ha-sync-mode", "bogus"))
                .isEqualTo("ha-sync-mode must be \"manual\" or \"automatic\", got <<\"bogus\">>");
        assertThat(fault("ha-mode", "all", "ha-promote-on-shutdown", true))
                .isEqualTo("ha-promote-on-shutdown must be \"always\" or \"when-synced\", got true");
        assertThat(fault("ha-mode", "all", "ha-promote-on-failure", "bogus"))
                .isEqualTo("ha-promote-on-failure must be \"always\" or \"when-synced\", got <<\"bogus\">>");
        assertThat(fault("ha-mode", "all", "ha-sync-batch-size", 0L))
                .isEqualTo("ha-sync-batch-size takes an integer greater than 0, 0 given");
        assertThat(fault("ha-mode", "all", "ha-min-in-sync", 0L))
                .isEqualTo("ha-min-in-sync takes an integer greater than 0, 0 given");
        assertThat(fault("ha-mode", "all", "ha-replace-lost", "no"))
                .isEqualTo("ha-replace-lost must be true or false, got <<\"no\">>");
        assertThat(fault(
                        "ha-mode",
                        "all",
                        "ha-sync-mode",
                        "automatic",
                        "ha-sync-batch-size",
                        1L,
                        "ha-promote-on-shutdown",
                        "always",
                        "ha-promote-on-failure",
                        "when-synced",
                        "ha-min-in-sync",
                        2L,
                        "ha-replace-lost",
                        false))
                .isEmpty();
    }

    @Test
    void theGeneralKeysAreToldBeforeTheMirroringKeys() {
        assertThat(fault("ha-mode", "bogus", "message-ttl", "x")).isEqualTo("<<\"x\">> is not a valid message TTL");
        assertThat(fault("ha-mode", "bogus", "ha-sync-mode", "bogus"))
                .isEqualTo("<<\"bogus\">> is not a valid ha-mode value");
    }

    @Test
    void generalKeys() {
        Object[][] rows = {
            {"message-ttl", -1L, "-1 is not a valid message TTL", 0L},
            {"expires", 0L, "0 is not a valid queue expiry", 1L},
            {"max-length", -1L, "-1 is not a valid maximum length", 0L},
            {"max-length-bytes", -1L, "-1 is not a valid maximum length in bytes", 0L},
            {"overflow", "bogus", "<<\"bogus\">> is not a valid overflow value", "reject-publish-dlx"},
            {"queue-mode", "bogus", "<<\"bogus\">> is not a valid queue-mode value", "lazy"},
            {"queue-master-locator", "bogus", "<<\"bogus\">> invalid queue-master-locator value", "min-masters"},
            {"dead-letter-exchange", 5L, "5 is not a valid dead letter exchange name", ""},
            {"dead-letter-routing-key", 5L, "5 is not a valid dead letter routing key", "k"},
            {"alternate-exchange", 5L, "5 is not a valid alternate exchange name", "x"},
            {"delivery-limit", -1L, "-1 is not a valid delivery limit", 1L},
            {"max-in-memory-length", -1L, "-1 is not a valid maximum memory in bytes", 1L},
            {"queue-version", 3L, "3 is not a valid queue-version value", 2L},
            {"federation-upstream-set", 5L, "5 is not a valid federation upstream set name", "all"},
            {"federation-upstream-pattern", "(", "<<\"(\">> is not a valid federation upstream pattern", "^x"},
        };
        for (Object[] row : rows) {
            assertThat(fault(row[0], row[1])).isEqualTo(row[2]);
            assertThat(fault(row[0], row[3])).as("%s", row[0]).isEmpty();
        }
        assertThat(fault("federation-upstream-set", "all", "federation-upstream", "x"))
                .isEqualTo("cannot specify federation-upstream, federation-upstream-set "
                        + "or federation-upstream-pattern together");
    }

    @Test
    void operatorPoliciesMayOnlyLimit() {
        assertThat(PolicyValidation.checkOperatorDefinition(map("ha-mode", "all")))
                .contains("[{<<\"ha-mode\">>,<<\"all\">>}] are not recognised policy settings");
        assertThat(PolicyValidation.checkOperatorDefinition(
                        map("max-length", 1L, "target-group-size", 1L, "overflow", "drop-head")))
                .contains("[{<<\"overflow\">>,<<\"drop-head\">>},{<<\"target-group-size\">>,1}]"
                        + " are not recognised policy settings");
        assertThat(PolicyValidation.checkOperatorDefinition(map("max-length", -1L)))
                .contains("-1 is not a valid maximum length");
        assertThat(PolicyValidation.checkOperatorDefinition(map())).contains("no policy provided");
        assertThat(PolicyValidation.checkOperatorDefinition(
                        map("expires", 1L, "message-ttl", 1L, "max-in-memory-bytes", 1L, "delivery-limit", 1L)))
                .isEmpty();
    }

    @Test
    void patternsAreToldWithTheirFault() {
        String prefix = "pattern should be regular expression but is invalid: ";
        assertThat(PolicyValidation.checkPattern("(")).contains(prefix + "{\"missing )\",1}");
        assertThat(PolicyValidation.checkPattern("*x")).contains(prefix + "{\"nothing to repeat\",0}");
        assertThat(PolicyValidation.checkPattern("[a-"))
                .contains(prefix + "{\"missing terminating ] for character class\",\n" + " ".repeat(54) + "3}");
        assertThat(PolicyValidation.checkPattern("a)"))
                .hasValueSatisfying(text -> assertThat(text).contains("unmatched parentheses"));
        assertThat(PolicyValidation.checkPattern("\\")).isPresent();
        assertThat(PolicyValidation.checkPattern("a".repeat(5000))).isPresent();
        assertThat(PolicyValidation.checkPattern("")).isEmpty();
    }

    @Test
    void aWholePolicyIsCheckedPatternFirst() {
        PolicyDefinition bad = policy("(", map());
        assertThat(PolicyValidation.check(bad))
                .hasValueSatisfying(text -> assertThat(text).contains("missing )"));
        assertThat(PolicyValidation.checkOperator(bad)).isPresent();
        assertThat(PolicyValidation.check(policy("^a", map("ha-mode", "all")))).isEmpty();
        assertThat(PolicyValidation.checkOperator(policy("^a", map("ha-mode", "all"))))
                .isPresent();
        assertThat(PolicyValidation.refusal("no policy provided"))
                .isEqualTo("Validation failed\n\nno policy provided\n");
    }

    private static PolicyDefinition policy(String pattern, Map<String, Object> definition) {
        return new PolicyDefinition(new VhostName("/"), "p", pattern, ApplyTo.ALL, 0, definition);
    }

    @Test
    void applyToWords() {
        assertThat(PolicyValidation.checkApplyTo("Queues"))
                .contains("apply-to 'Queues' unrecognised; should be 'queues', 'exchanges' or 'all'");
        assertThat(PolicyValidation.checkApplyTo("queues")).isEmpty();
    }

    @Test
    void patternsAreSearchedAnywhereInTheName() {
        assertThat(BoundedPattern.compile("ha").isIn("xhay")).isTrue();
        assertThat(BoundedPattern.compile("^ha").isIn("xhay")).isFalse();
        assertThat(BoundedPattern.compile("ha$").isIn("ha")).isTrue();
        assertThat(BoundedPattern.compile("").isIn("")).isTrue();
        assertThatThrownBy(() -> BoundedPattern.compile("(")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aHostilePatternGivesUpInsteadOfHanging() {
        assertThat(BoundedPattern.compile("(a+)+$").isIn("a".repeat(60) + "b")).isFalse();
        assertThat(BoundedPattern.compile("(x|y|a)*b\\1").isIn("a".repeat(255))).isFalse();
        assertThat(BoundedPattern.compile(String.join("", Collections.nCopies(2000, "a?")))
                        .isIn("b"))
                .isTrue();
        assertThat(PolicyValidation.checkPattern("(".repeat(2000) + ")".repeat(2000)))
                .satisfies(result -> assertThat(result.orElse("")).doesNotContain("Exception"));
    }
}
