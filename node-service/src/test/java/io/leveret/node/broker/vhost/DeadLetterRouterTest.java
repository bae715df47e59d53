package io.leveret.node.broker.vhost;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.ExchangeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.ApplyTo;
import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.InMemoryDefinitions;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.DeadLetterSink;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LetterSource;
import io.leveret.node.broker.queue.QueueEvent.Reason;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.Randomness;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeadLetterRouterTest {
    private static final VhostName ROOT = new VhostName("/");
    private static final long NOW = 1_796_041_621_500L;
    private static final NodeClock CLOCK = new NodeClock() {
        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public long currentTimeMillis() {
            return NOW;
        }
    };

    private final InMemoryDefinitions definitions = new InMemoryDefinitions();
    private final Map<QueueName, StoredQueue> queues = new HashMap<>();
    private final List<Runnable> timers = new ArrayList<>();
    private final List<String> committed = new ArrayList<>();
    private DeadLetterRouter router;

    @BeforeEach
    void declare() {
        definitions.agree(new DefinitionChange.PutVhost(new VhostDefinition(ROOT, "", List.of())));
        Randomness none = new Randomness() {
            @Override
            public void fill(byte[] bytes) {}

            @Override
            public long nextLong() {
                return 0;
            }
        };
        VirtualHosts vhosts =
                new VirtualHosts(new VirtualHosts.Services(definitions, this::find, new ManualExecutor(timers), none));
        router = new DeadLetterRouter(vhosts, definitions, CLOCK);
        declare("target", Map.of());
    }

    private QueueHandle find(QueueName name) {
        return definitions.image().queue(name) == null ? null : queues.computeIfAbsent(name, StoredQueue::new);
    }

    private void declare(String queue, Map<String, Object> arguments) {
        definitions.agree(new DefinitionChange.DeclareQueue(
                new QueueDefinition(QueueName.of("/", queue), true, false, false, arguments), null));
    }

    private DeadLetterSink sink(String queue) {
        return router.sinkOf(QueueName.of("/", queue), new LetterSource(7, 3), new ManualExecutor(timers));
    }

    private static Message message(String key, Map<String, ?> headers, String expiration) {
        byte[] header = MessageProperties.builder()
                .headers(headers)
                .deliveryMode(2)
                .expiration(expiration)
                .toBytes();
        return new Message("", key, header, new byte[] {1}, true);
    }

    private void die(DeadLetterSink sink, Message message, Reason why) {
        sink.deadLetter(new MessageId(1, 1), message, why, () -> committed.add("committed"));
    }

    private Message last() {
        StoredQueue target = queues.get(QueueName.of("/", "target"));
        return target.messages.get(target.messages.size() - 1);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> death(Message message, int index) {
        return ((List<Map<String, Object>>)
                        MessageProperties.of(message).headers().get("x-death"))
                .get(index);
    }

    @Test
    void aDeadLetterTellsOfItsDeath() {
        declare("s", Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "target"));
        die(sink("s"), message("s", Map.of("mine", 1, "CC", List.of("x")), "50"), Reason.EXPIRED);
        assertThat(committed).hasSize(1);
        MessageProperties properties = MessageProperties.of(last());
        assertThat(last().routingKey()).isEqualTo("target");
        assertThat(properties.expiration()).isNull();
        assertThat(properties.deliveryMode()).isEqualTo(2);
        assertThat(properties.headers())
                .containsEntry("mine", 1)
                .containsEntry("x-first-death-queue", "s")
                .containsEntry("x-first-death-reason", "expired")
                .containsEntry("x-first-death-exchange", "")
                .doesNotContainKey("CC");
        assertThat(death(last(), 0))
                .containsEntry("count", 1L)
                .containsEntry("reason", "expired")
                .containsEntry("queue", "s")
                .containsEntry("exchange", "")
                .containsEntry("routing-keys", List.of("s", "x"))
                .containsEntry("original-expiration", "50")
                .containsEntry("time", new java.util.Date(NOW / 1000 * 1000));
    }

    @Test
    void headersThatCannotBeReadAreLeftBehind() {
        declare("s", Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "target"));
        byte[] unknownType = {0x20, 0, 0, 0, 0, 4, 1, 'a', 'Z', 0};
        die(sink("s"), new Message("", "s", unknownType, new byte[] {1}, true), Reason.EXPIRED);
        assertThat(death(last(), 0)).containsEntry("queue", "s");
        assertThat(MessageProperties.of(last()).headers()).doesNotContainKey("a");
    }

    @Test
    void namesThatNothingCanHaveLeadNowhere() {
        String endless = "k".repeat(300);
        declare("s", Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", endless));
        declare("t", Map.of("x-dead-letter-exchange", endless));
        die(sink("s"), message("target", Map.of(), null), Reason.EXPIRED);
        assertThat(last().routingKey()).isEqualTo("target");
        die(sink("t"), message("t", Map.of("CC", List.of(endless)), null), Reason.EXPIRED);
        timers.forEach(Runnable::run);
        assertThat(committed).hasSize(2);
    }

    @Test
    void theSameDeathOnlyCountsAndComesToTheFront() {
        declare("a", Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "target"));
        declare("b", Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "target"));
        die(sink("a"), message("a", Map.of(), null), Reason.REJECTED);
        die(sink("b"), last(), Reason.EXPIRED);
        assertThat(death(last(), 0)).containsEntry("queue", "b");
        die(sink("a"), last(), Reason.REJECTED);
        assertThat(death(last(), 0)).containsEntry("queue", "a").containsEntry("count", 2L);
        assertThat(death(last(), 1)).containsEntry("queue", "b").containsEntry("reason", "expired");
        assertThat(MessageProperties.of(last()).headers()).containsEntry("x-first-death-reason", "rejected");
    }

    private StoredQueue queue(String name) {
        return queues.get(QueueName.of("/", name));
    }

    @Test
    void aCircleWithoutARejectionEnds() {
        declare("a", Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "b"));
        declare("b", Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "a"));
        declare("self", Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "self"));
        die(sink("self"), message("self", Map.of(), null), Reason.EXPIRED);
        assertThat(queue("self").messages).as("straight back").isEmpty();
        die(sink("a"), message("a", Map.of(), null), Reason.OVERFLOW);
        assertThat(death(queue("b").messages.get(0), 0)).containsEntry("reason", "maxlen");
        die(sink("b"), queue("b").messages.get(0), Reason.EXPIRED);
        assertThat(queue("a").messages)
                .as("it was there, and only expired since")
                .isEmpty();
        assertThat(committed).hasSize(3);
        die(sink("b"), queue("b").messages.get(0), Reason.REJECTED);
        die(sink("a"), queue("a").messages.get(0), Reason.EXPIRED);
        assertThat(queue("b").messages).as("somebody rejected it on the way").hasSize(2);
    }

    @Test
    void aFirstDeathIsToldOnceAndACountHeaderOfAnotherKindIsReplaced() {
        declare("s", Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "target"));
        die(sink("s"), message("s", Map.of("x-first-death-queue", "mine"), null), Reason.REJECTED);
        assertThat(MessageProperties.of(last()).headers()).containsEntry("x-first-death-queue", "s");
        die(sink("s"), message("s", Map.of("x-death", "text"), null), Reason.REJECTED);
        assertThat(death(last(), 0)).containsEntry("count", 1L);
        assertThat(MessageProperties.of(last()).headers()).doesNotContainKey("x-first-death-queue");
    }

    @Test
    void copiesGoAlongUnlessThereIsAKeyForDeadLetters() {
        declare("s", Map.of("x-dead-letter-exchange", ""));
        declare("other", Map.of());
        die(sink("s"), message("target", Map.of("CC", List.of("other")), null), Reason.REJECTED);
        assertThat(queue("other").messages).hasSize(1);
        assertThat(death(last(), 0)).containsEntry("routing-keys", List.of("target", "other"));
        assertThat(MessageProperties.of(last()).headers()).containsEntry("CC", List.of("other"));
    }

    @Test
    void thePolicySaysWhereToUnlessTheArgumentDoes() {
        declare("s", Map.of());
        definitions.agree(new DefinitionChange.PutPolicy(new PolicyDefinition(
                ROOT,
                "p",
                "^s$",
                ApplyTo.QUEUES,
                0,
                Map.of("dead-letter-exchange", "dlx", "dead-letter-routing-key", "k"))));
        DeadLetterSink sink = sink("s");
        die(sink, message("s", Map.of(), null), Reason.REJECTED);
        assertThat(committed).hasSize(1);
        assertThat(queues).doesNotContainKey(QueueName.of("/", "target"));
        definitions.agree(new DefinitionChange.DeclareExchange(
                new ExchangeDefinition(ExchangeName.of("/", "dlx"), "direct", true, false, true, Map.of())));
        definitions.agree(new DefinitionChange.Bind(new BindingDefinition(
                ExchangeName.of("/", "dlx"),
                new BindingDefinition.Destination(BindingDefinition.Kind.QUEUE, "target"),
                "k",
                Map.of())));
        die(sink, message("s", Map.of(), null), Reason.REJECTED);
        assertThat(last().exchange()).isEqualTo("dlx");
        assertThat(committed).hasSize(2);
    }

    @Test
    void aLetterIsNamedByItsSourceAndForgottenWhenItHasLeft() {
        declare("s", Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "target"));
        DeadLetterSink sink = sink("s");
        die(sink, message("s", Map.of(), null), Reason.REJECTED);
        assertThat(last().origin()).isEqualTo(Origin.ofLetter(7, new MessageId(1, 1)));
        assertThat(timers).isEmpty();
        sink.settled(IdRuns.range(1, 1, 5), new MessageId(1, 6));
        timers.remove(0).run();
        assertThat(queue("target").settledLetters).containsExactly("1/6 [1/1]");
    }

    @Test
    void atMostOnceARefusalIsTheEnd() {
        declare("s", Map.of("x-dead-letter-exchange", "", "x-dead-letter-routing-key", "target"));
        find(QueueName.of("/", "target"));
        queue("target").isRefusing = true;
        die(sink("s"), message("s", Map.of(), null), Reason.REJECTED);
        assertThat(committed).hasSize(1);
        assertThat(timers).isEmpty();
    }

    @Test
    void atLeastOnceItStaysUntilAQueueTakesIt() {
        declare("s", Map.of("x-dead-letter-exchange", "dlx", "x-dead-letter-strategy", "at-least-once"));
        DeadLetterSink sink = sink("s");
        die(sink, message("k", Map.of(), null), Reason.REJECTED);
        assertThat(timers).as("no exchange").hasSize(1);
        definitions.agree(new DefinitionChange.DeclareExchange(
                new ExchangeDefinition(ExchangeName.of("/", "dlx"), "fanout", true, false, false, Map.of())));
        timers.remove(0).run();
        assertThat(timers).as("no queue").hasSize(1);
        definitions.agree(new DefinitionChange.Bind(new BindingDefinition(
                ExchangeName.of("/", "dlx"),
                new BindingDefinition.Destination(BindingDefinition.Kind.QUEUE, "target"),
                "",
                Map.of())));
        find(QueueName.of("/", "target"));
        queue("target").isRefusing = true;
        timers.remove(0).run();
        assertThat(timers).as("refused").hasSize(1);
        assertThat(committed).isEmpty();
        queue("target").isRefusing = false;
        timers.remove(0).run();
        assertThat(committed).hasSize(1);
        assertThat(timers).isEmpty();
        assertThat(last().origin()).isEqualTo(Origin.ofLetter(7, new MessageId(1, 1)));
    }

    @Test
    void withoutADeadLetterExchangeAnyMoreItIsGone() {
        declare("s", Map.of());
        PolicyDefinition policy = new PolicyDefinition(
                ROOT,
                "p",
                "^s$",
                ApplyTo.QUEUES,
                0,
                Map.of("dead-letter-exchange", "none", "dead-letter-strategy", "at-least-once"));
        definitions.agree(new DefinitionChange.PutPolicy(policy));
        die(sink("s"), message("s", Map.of(), null), Reason.REJECTED);
        assertThat(committed).isEmpty();
        definitions.agree(new DefinitionChange.DeletePolicy(ROOT, "p"));
        timers.remove(0).run();
        assertThat(committed).hasSize(1);
    }

    @Test
    void aClosedSinkSendsNothing() {
        declare("s", Map.of("x-dead-letter-exchange", "none", "x-dead-letter-strategy", "at-least-once"));
        DeadLetterSink sink = sink("s");
        die(sink, message("s", Map.of(), null), Reason.REJECTED);
        sink.close();
        timers.remove(0).run();
        assertThat(timers).isEmpty();
        assertThat(committed).isEmpty();
    }
}
