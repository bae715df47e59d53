package io.leveret.node.broker.definitions;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.ApplyTo;
import io.leveret.model.definition.HaMode;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.QueueDefinition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PolicyMatcherTest {
    private static PolicyDefinition policy(String name, int priority, Map<String, Object> definition) {
        return policy(name, "^q", ApplyTo.ALL, priority, definition);
    }

    private static PolicyDefinition policy(
            String name, String pattern, ApplyTo applyTo, int priority, Map<String, Object> definition) {
        return new PolicyDefinition(new VhostName("/"), name, pattern, applyTo, priority, definition);
    }

    private static EffectivePolicy merged(Map<String, Object> user, Map<String, Object> operator) {
        return new PolicyMatcher(List.of(policy("u", 0, user)), List.of(policy("o", 0, operator))).forQueue("q");
    }

    @Test
    void theHighestPriorityWinsThenTheNameThatSortsFirst() {
        Map<String, Object> definition = Map.of("max-length", 1L);
        PolicyMatcher matcher = new PolicyMatcher(
                List.of(policy("z", 5, definition), policy("b", 7, definition), policy("a", 7, definition)), List.of());
        assertThat(matcher.forQueue("q1").policy()).isEqualTo("a");
        assertThat(matcher.matchingQueue("q1"))
                .extracting(PolicyDefinition::name)
                .containsExactly("a", "b", "z");
        assertThat(matcher.forQueue("other")).isEqualTo(EffectivePolicy.NONE);
    }

    @Test
    void namesSortByCodePointNotByCharacter() {
        String highest = "\uffff";
        String beyond = new String(Character.toChars(0x1f407));
        PolicyMatcher matcher = new PolicyMatcher(
                List.of(policy(beyond, 0, Map.of("max-length", 1L)), policy(highest, 0, Map.of("max-length", 2L))),
                List.of());
        assertThat(matcher.forQueue("q").policy()).isEqualTo(highest);
    }

    @Test
    void applyToAndKindsOfQueuesDecideWhatIsCovered() {
        PolicyMatcher matcher = new PolicyMatcher(
                List.of(
                        policy("e", "", ApplyTo.EXCHANGES, 9, Map.of("alternate-exchange", "ae")),
                        policy("stream", "", ApplyTo.ALL, 8, Map.of("max-age", "1D", "max-length", 3L)),
                        policy("q", "", ApplyTo.QUEUES, 1, Map.of("max-length", 1L))),
                List.of());
        assertThat(matcher.forQueue("x").policy()).isEqualTo("q");
        assertThat(matcher.forExchange("x").policy()).isEqualTo("e");
        assertThat(matcher.forExchange("x").text("alternate-exchange")).isEqualTo("ae");
        assertThat(matcher.matchingQueue("x"))
                .extracting(PolicyDefinition::name)
                .containsExactly("q");
    }

    @Test
    void aBrokenPatternMatchesNothing() {
        PolicyMatcher matcher =
                new PolicyMatcher(List.of(policy("p", "(", ApplyTo.ALL, 0, Map.of("max-length", 1L))), List.of());
        assertThat(matcher.forQueue("q")).isEqualTo(EffectivePolicy.NONE);
    }

    @Test
    void anExclusiveQueueIsNeverMirrored() {
        PolicyMatcher matcher =
                new PolicyMatcher(List.of(policy("all", 0, Map.of("ha-mode", "all", "max-length", 5L))), List.of());
        QueueDefinition exclusive = new QueueDefinition(QueueName.of("/", "q"), false, true, false, Map.of());
        QueueDefinition shared = new QueueDefinition(QueueName.of("/", "q"), false, false, false, Map.of());
        assertThat(matcher.forQueue(exclusive).mirroring()).isNull();
        assertThat(matcher.forQueue(exclusive).number("max-length")).isEqualTo(5);
        assertThat(matcher.forQueue(shared).mirroring()).isNotNull();
    }

    @Test
    void limitsMergeToTheSmaller() {
        assertThat(merged(Map.of("max-length", 5L), Map.of("max-length", 9L)).number("max-length"))
                .isEqualTo(5);
        assertThat(merged(Map.of("expires", 50L), Map.of("expires", 9L)).number("expires"))
                .isEqualTo(9);
        assertThat(merged(Map.of("expires", "odd"), Map.of("expires", 9L)).number("expires"))
                .isEqualTo(9);
        EffectivePolicy both = merged(Map.of("max-length", 5L), Map.of("message-ttl", 9L));
        assertThat(both.definition()).containsOnlyKeys("max-length", "message-ttl");
        assertThat(both.policy()).isEqualTo("u");
        assertThat(both.operatorPolicy()).isEqualTo("o");
    }

    @Test
    void otherKeysAreTheOperators() {
        assertThat(merged(Map.of("overflow", "drop-head"), Map.of("overflow", "reject-publish"))
                        .text("overflow"))
                .isEqualTo("reject-publish");
        assertThat(merged(Map.of("queue-version", 1L), Map.of("queue-version", 2L))
                        .text("queue-version"))
                .isNull();
    }

    @Test
    void modesMergeToTheWiderAndParametersToTheLarger() {
        Map<String, Object> all = Map.of("ha-mode", "all");
        Map<String, Object> two = Map.of("ha-mode", "exactly", "ha-params", 2L);
        Map<String, Object> three = Map.of("ha-mode", "exactly", "ha-params", 3L);
        Map<String, Object> ab = Map.of("ha-mode", "nodes", "ha-params", List.of("a", "b"));
        Map<String, Object> cd = Map.of("ha-mode", "nodes", "ha-params", List.of("c", "d"));
        Map<String, Object> a = Map.of("ha-mode", "nodes", "ha-params", List.of("a"));
        assertThat(merged(all, two).mirroring().mode()).isEqualTo(HaMode.ALL);
        assertThat(merged(two, all).mirroring().mode()).isEqualTo(HaMode.ALL);
        assertThat(merged(two, three).mirroring().count()).isEqualTo(3);
        assertThat(merged(three, two).mirroring().count()).isEqualTo(3);
        assertThat(merged(ab, two).mirroring().count()).isEqualTo(2);
        assertThat(merged(two, ab).mirroring().mode()).isEqualTo(HaMode.EXACTLY);
        assertThat(merged(ab, a).mirroring().nodes()).containsExactly(new NodeName("a"), new NodeName("b"));
        assertThat(merged(a, ab).mirroring().nodes()).containsExactly(new NodeName("a"), new NodeName("b"));
        assertThat(merged(ab, cd).mirroring().nodes()).containsExactly(new NodeName("c"), new NodeName("d"));
        assertThat(merged(Map.of("ha-mode", "odd"), Map.of("ha-mode", "stranger"))
                        .mirroring())
                .isNull();
    }

    @Test
    void defaultsOfMirroringAreThoseOfRabbit() {
        MirroringPolicy plain = EffectivePolicy.merge(policy("p", 0, Map.of("ha-mode", "all")), null)
                .mirroring();
        assertThat(plain).isEqualTo(new MirroringPolicy(HaMode.ALL, 0, List.of(), false, 0, false, true, 1, true));
        MirroringPolicy full = EffectivePolicy.merge(
                        policy(
                                "p",
                                0,
                                Map.of(
                                        "ha-mode",
                                        "exactly",
                                        "ha-params",
                                        2L,
                                        "ha-sync-mode",
                                        "automatic",
                                        "ha-sync-batch-size",
                                        10L,
                                        "ha-promote-on-shutdown",
                                        "always",
                                        "ha-promote-on-failure",
                                        "when-synced",
                                        "ha-min-in-sync",
                                        2L,
                                        "ha-replace-lost",
                                        false)),
                        null)
                .mirroring();
        assertThat(full).isEqualTo(new MirroringPolicy(HaMode.EXACTLY, 2, List.of(), true, 10, true, false, 2, false));
    }

    @Test
    void modesWithoutUsableParametersMirrorNothing() {
        assertThat(merged(Map.of("ha-mode", "exactly"), Map.of()).mirroring()).isNull();
        assertThat(merged(Map.of("ha-mode", "nodes", "ha-params", List.of(1L, "")), Map.of())
                        .mirroring())
                .isNull();
        assertThat(merged(Map.of("ha-mode", 5L), Map.of()).mirroring()).isNull();
    }

    @Test
    void theSmallerOfArgumentAndPolicyCounts() {
        EffectivePolicy policy = EffectivePolicy.merge(policy("p", 0, Map.of("max-length", 5L)), null);
        assertThat(policy.smaller(7, "max-length")).isEqualTo(5);
        assertThat(policy.smaller(3L, "max-length")).isEqualTo(3);
        assertThat(policy.smaller(null, "max-length")).isEqualTo(5);
        assertThat(policy.smaller(3L, "expires")).isEqualTo(3);
        assertThat(policy.smaller(null, "expires")).isNull();
    }
}
