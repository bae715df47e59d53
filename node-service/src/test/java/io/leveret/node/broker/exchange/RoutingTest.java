package io.leveret.node.broker.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.ExchangeName;
import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.BindingDefinition.Destination;
import io.leveret.model.definition.BindingDefinition.Kind;
import io.leveret.model.definition.ExchangeDefinition;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RoutingTest {
    private final Map<String, Exchange> exchanges = new HashMap<>();

    private static BindingDefinition toQueue(String source, String queue, String key, Map<String, Object> arguments) {
        return new BindingDefinition(ExchangeName.of("/", source), new Destination(Kind.QUEUE, queue), key, arguments);
    }

    private static BindingDefinition toQueue(String source, String queue, String key) {
        return toQueue(source, queue, key, Map.of());
    }

    private static BindingDefinition toExchange(String source, String exchange, String key) {
        return new BindingDefinition(
                ExchangeName.of("/", source), new Destination(Kind.EXCHANGE, exchange), key, Map.of());
    }

    private void declare(String name, String type, @Nullable String alternate, BindingDefinition... bindings) {
        ExchangeDefinition definition =
                new ExchangeDefinition(ExchangeName.of("/", name), type, true, false, false, Map.of());
        exchanges.put(name, new Exchange(definition, alternate, List.of(bindings)));
    }

    private Routing.Result route(String exchange, Map<String, ?> headers, String... keys) {
        return Routing.route(exchanges.get(exchange), new Routing.Keys(List.of(keys), headers), exchanges::get);
    }

    private Set<String> queues(String exchange, String... keys) {
        return route(exchange, Map.of(), keys).queues();
    }

    private Set<String> byHeaders(Map<String, ?> headers) {
        return route("h", headers, "").queues();
    }

    @Test
    void directNeedsTheSameKey() {
        declare("d", "direct", null, toQueue("d", "a", "k"), toQueue("d", "b", "k"), toQueue("d", "c", "other"));
        assertThat(queues("d", "k")).containsExactlyInAnyOrder("a", "b");
        assertThat(queues("d", "K")).isEmpty();
    }

    @Test
    void fanoutIgnoresTheKeyAndGivesEachQueueOnce() {
        declare("f", "fanout", null, toQueue("f", "a", "1"), toQueue("f", "a", "2"), toQueue("f", "b", ""));
        assertThat(queues("f", "whatever")).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void topicFollowsTheKnownExamples() {
        String[] keys = {
            "a.b.c", "a.*.c", "a.#.b", "a.b.b.c", "#", "#.#", "*", "#.*", "*.#", "*.#.#", "#.#.#", "*", "a.b.*", "",
            "*.*", "..", "a.#.#.c"
        };
        BindingDefinition[] bindings = new BindingDefinition[keys.length];
        for (int i = 0; i < keys.length; i++) {
            bindings[i] = toQueue("t", keys[i], keys[i]);
        }
        declare("t", "topic", null, bindings);
        assertThat(queues("t", "a.b.c"))
                .containsExactlyInAnyOrder(
                        "a.b.c", "a.*.c", "#", "#.#", "#.*", "*.#", "*.#.#", "#.#.#", "a.b.*", "a.#.#.c");
        assertThat(queues("t", "")).containsExactlyInAnyOrder("#", "#.#", "#.#.#", "");
        assertThat(queues("t", "x")).containsExactlyInAnyOrder("#", "#.#", "*", "#.*", "*.#", "*.#.#", "#.#.#");
        assertThat(queues("t", ".")).containsExactlyInAnyOrder("#", "#.#", "#.*", "*.#", "*.#.#", "#.#.#", "*.*");
        assertThat(queues("t", "..")).contains("..").doesNotContain("*.*");
    }

    @Test
    void topicAgreesWithAPlainRecursiveMatcher() {
        long seed = new Random().nextLong();
        System.out.println("TopicTrie seed " + seed);
        Random random = new Random(seed);
        String[] words = {"a", "b", "", "*", "#"};
        for (int round = 0; round < 300; round++) {
            List<String> patterns = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                patterns.add(key(random, words, words.length));
            }
            List<String> distinct = patterns.stream().distinct().toList();
            declare(
                    "t",
                    "topic",
                    null,
                    distinct.stream().map(p -> toQueue("t", p, p)).toArray(BindingDefinition[]::new));
            String key = key(random, words, 3);
            assertThat(queues("t", key))
                    .as("seed %d, key '%s', patterns %s", seed, key, distinct)
                    .isEqualTo(distinct.stream()
                            .filter(p -> plainlyMatches(TopicTrie.words(p), TopicTrie.words(key)))
                            .collect(Collectors.toSet()));
        }
    }

    private static String key(Random random, String[] words, int choice) {
        List<String> parts = new ArrayList<>();
        for (int length = random.nextInt(5); length >= 0; length--) {
            parts.add(words[random.nextInt(choice)]);
        }
        return String.join(".", parts);
    }

    private static boolean plainlyMatches(List<String> pattern, List<String> key) {
        if (pattern.isEmpty()) {
            return key.isEmpty();
        }
        List<String> rest = pattern.subList(1, pattern.size());
        if (pattern.get(0).equals("#")) {
            return plainlyMatches(rest, key) || (!key.isEmpty() && plainlyMatches(pattern, key.subList(1, key.size())));
        }
        return !key.isEmpty()
                && (pattern.get(0).equals("*") || pattern.get(0).equals(key.get(0)))
                && plainlyMatches(rest, key.subList(1, key.size()));
    }

    @Test
    void aHostileTopicCostsNoMoreThanWordsTimesPlaces() {
        declare("t", "topic", null, toQueue("t", "q", "#.".repeat(120) + "z"));
        assertThat(queues("t", "a.".repeat(120) + "b")).isEmpty();
        assertThat(queues("t", "a.".repeat(120) + "z")).containsExactly("q");
    }

    @Test
    void headersAllNeedsEveryArgumentAndAnyOne() {
        declare(
                "h",
                "headers",
                null,
                toQueue("h", "all", "", Map.of("x-match", "all", "a", 1, "b", "x")),
                toQueue("h", "any", "", Map.of("x-match", "any", "a", 1, "b", "x")),
                toQueue("h", "default", "", Map.of("a", 1)));
        assertThat(byHeaders(Map.of("a", 1L, "b", "x"))).containsExactlyInAnyOrder("all", "any", "default");
        assertThat(byHeaders(Map.of("b", "x"))).containsExactly("any");
        assertThat(byHeaders(Map.of("a", 2, "b", "y"))).isEmpty();
        assertThat(byHeaders(Map.of())).isEmpty();
    }

    @Test
    void headersCompareNumbersByValueAndBytesByContent() {
        declare(
                "h",
                "headers",
                null,
                toQueue("h", "one", "", Map.of("a", 1)),
                toQueue("h", "half", "", Map.of("a", 0.5)),
                toQueue("h", "decimal", "", Map.of("a", new BigDecimal("1.50"))),
                toQueue("h", "bytes", "", Map.of("a", new byte[] {1, 2})));
        assertThat(byHeaders(Map.of("a", (byte) 1))).containsExactly("one");
        assertThat(byHeaders(Map.of("a", 0.5f))).containsExactly("half");
        assertThat(byHeaders(Map.of("a", 1.5))).containsExactly("decimal");
        assertThat(byHeaders(Map.of("a", Double.NaN))).isEmpty();
        assertThat(byHeaders(Map.of("a", new byte[] {1, 2}))).containsExactly("bytes");
        assertThat(byHeaders(Map.of("a", "1"))).isEmpty();
    }

    @Test
    void headersWithoutAValueNeedPresenceOnly() {
        Map<String, Object> arguments = new HashMap<>();
        arguments.put("a", null);
        declare("h", "headers", null, toQueue("h", "q", "", arguments));
        assertThat(byHeaders(Map.of("a", "anything"))).containsExactly("q");
        assertThat(byHeaders(Map.of("b", "anything"))).isEmpty();
    }

    @Test
    void headersBeginningWithXCountOnlyWhenAskedFor() {
        declare(
                "h",
                "headers",
                null,
                toQueue("h", "all", "", Map.of("x-match", "all", "x-k", 1)),
                toQueue("h", "any", "", Map.of("x-match", "any", "x-k", 1)),
                toQueue("h", "all-x", "", Map.of("x-match", "all-with-x", "x-k", 1)),
                toQueue("h", "any-x", "", Map.of("x-match", "any-with-x", "x-k", 1, "b", 2)));
        assertThat(byHeaders(Map.of("x-k", 1))).containsExactlyInAnyOrder("all", "all-x", "any-x");
        assertThat(byHeaders(Map.of("x-k", 2))).containsExactly("all");
    }

    @Test
    void faultyHeaderBindingsAreToldInWords() {
        assertThat(Exchange.bindingFault("headers", Map.of("x-match", "bogus")))
                .contains("Invalid x-match field value <<\"bogus\">>; expected all, any, all-with-x, or any-with-x");
        assertThat(Exchange.bindingFault("headers", Map.of("x-match", 5)))
                .contains("Invalid x-match field type signedint (value 5); expected longstr");
        assertThat(Exchange.bindingFault("headers", Map.of("x-match", "any-with-x")))
                .isEmpty();
        assertThat(Exchange.bindingFault("headers", Map.of())).isEmpty();
        assertThat(Exchange.bindingFault("topic", Map.of("x-match", "bogus"))).isEmpty();
    }

    @Test
    void exchangesBoundInACircleEndAndGiveEachQueueOnce() {
        declare("a", "fanout", null, toExchange("a", "b", ""), toQueue("a", "qa", ""));
        declare("b", "fanout", null, toExchange("b", "a", ""), toExchange("b", "b", ""), toQueue("b", "qa", ""));
        assertThat(queues("a", "k")).containsExactly("qa");
        assertThat(exchanges.get("a").isSelfContained()).isFalse();
    }

    @Test
    void whatMatchesNothingGoesToTheAlternateExchange() {
        declare("a", "direct", "b", toQueue("a", "qa", "k"));
        declare("b", "direct", "c", toQueue("b", "qb", "x"));
        declare("c", "fanout", null, toQueue("c", "qc", ""));
        assertThat(queues("a", "k")).containsExactly("qa");
        assertThat(queues("a", "x")).containsExactly("qb");
        assertThat(queues("a", "nothing")).containsExactly("qc");
        assertThat(exchanges.get("a").isSelfContained()).isFalse();
    }

    @Test
    void alternatesInACircleAndMissingOnesEnd() {
        declare("a", "direct", "b");
        declare("b", "direct", "a");
        declare("c", "direct", "gone");
        assertThat(queues("a", "k")).isEmpty();
        assertThat(queues("c", "k")).isEmpty();
    }

    @Test
    void aMatchThatLeadsToAnExchangeIsAMatch() {
        declare("a", "direct", "fallback", toExchange("a", "empty", "k"));
        declare("empty", "direct", null);
        declare("fallback", "fanout", null, toQueue("fallback", "q", ""));
        assertThat(queues("a", "k")).isEmpty();
    }

    @Test
    void theDefaultExchangeAsAlternateTakesTheKeyAsQueue() {
        declare("a", "direct", "");
        assertThat(queues("a", "q1", "q2")).containsExactlyInAnyOrder("q1", "q2");
    }

    @Test
    void everyRoutingKeyOfAMessageCounts() {
        declare("d", "direct", null, toQueue("d", "a", "1"), toQueue("d", "b", "2"));
        List<String> keys = CopyHeaders.routingKeys("1", Map.of("CC", List.of("2", 5), "BCC", List.of("3")));
        assertThat(keys).containsExactly("1", "2", "3");
        assertThat(queues("d", keys.toArray(String[]::new))).containsExactlyInAnyOrder("a", "b");
        assertThat(CopyHeaders.routingKeys("1", Map.of("other", 1))).containsExactly("1");
        assertThat(CopyHeaders.routingKeys("1", Map.of("BCC", List.of("2")))).containsExactly("1", "2");
    }

    @Test
    void copyHeadersMustBeLists() {
        assertThat(CopyHeaders.fault(Map.of("CC", "x")))
                .contains("invalid message: {unacceptable_type_in_header,\"CC\",longstr}");
        assertThat(CopyHeaders.fault(Map.of("BCC", 1)))
                .contains("invalid message: {unacceptable_type_in_header,\"BCC\",signedint}");
        assertThat(CopyHeaders.fault(Map.of("CC", List.of(1), "BCC", List.of())))
                .isEmpty();
        assertThat(CopyHeaders.hasBcc(Map.of("CC", List.of()))).isFalse();
        assertThat(CopyHeaders.hasBcc(Map.of("BCC", List.of("x"), "CC", List.of("y"))))
                .isTrue();
    }

    @Test
    void aResultTellsWhetherKeysAloneDecidedIt() {
        declare("d", "direct", null, toExchange("d", "h", "k"), toQueue("d", "q", "other"));
        declare("h", "headers", null);
        assertThat(route("d", Map.of(), "k").isByKeys()).isFalse();
        assertThat(route("d", Map.of(), "other").isByKeys()).isTrue();
        assertThat(Exchange.isKnownType("direct")).isTrue();
        assertThat(Exchange.isKnownType("x-delayed-message")).isFalse();
    }
}
