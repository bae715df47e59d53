package io.leveret.node.broker.vhost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leveret.model.ExchangeName;
import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.ApplyTo;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.InMemoryDefinitions;
import io.leveret.node.broker.definitions.QueueOwner;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.vhost.BrokerException.Kind;
import io.leveret.node.runtime.Randomness;
import io.leveret.node.runtime.SerialExecutor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VirtualHostTest {
    private static final VhostName ROOT = new VhostName("/");
    private static final String ME = "rabbit1@localhost/3/7";
    private static final String OTHER = "rabbit2@localhost/1/7";

    private final InMemoryDefinitions definitions = new InMemoryDefinitions();
    private final Map<QueueName, StoredQueue> queues = new ConcurrentHashMap<>();
    private final List<Runnable> timers = new ArrayList<>();
    private VirtualHosts vhosts;
    private VirtualHost vhost;

    @BeforeEach
    void createVhost() {
        definitions.agree(new DefinitionChange.PutVhost(new VhostDefinition(ROOT, "", List.of())));
        SerialExecutor executor = new ManualExecutor(timers);
        Random random = new Random(5);
        Randomness randomness = new Randomness() {
            @Override
            public void fill(byte[] bytes) {
                random.nextBytes(bytes);
            }

            @Override
            public long nextLong() {
                return random.nextLong();
            }
        };
        vhosts = new VirtualHosts(new VirtualHosts.Services(definitions, this::find, executor, randomness));
        vhost = vhosts.find(ROOT);
    }

    private QueueHandle find(QueueName name) {
        if (definitions.image().queue(name) == null) {
            queues.remove(name);
            return null;
        }
        return queues.computeIfAbsent(name, StoredQueue::new);
    }

    private static <T> T now(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    @Test
    void aQueueThatGoesWhileItIsDeclaredAgainIsDeclaredAnew() {
        declare("q");
        StoredQueue first = queues.computeIfAbsent(QueueName.of("/", "q"), StoredQueue::new);
        first.ready = 4;
        first.isUnavailable = true;
        first.beforeCounts = () -> {
            definitions.agree(new DefinitionChange.DeleteQueue(QueueName.of("/", "q")));
            queues.clear();
        };

        assertThat(now(vhost.declareQueue(queue("q"), ME)).counts().ready()).isZero();
        assertThat(now(vhost.inspectQueue("q", ME)).counts().ready()).isZero();
    }

    private static void assertRefused(CompletionStage<?> stage, Kind kind, String reason) {
        assertThatThrownBy(() -> now(stage))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(BrokerException.class, refusal -> {
                    assertThat(refusal.getMessage()).isEqualTo(reason);
                    assertThat(refusal.kind()).isEqualTo(kind);
                });
    }

    private static QueueDeclaration queue(String name, Object... arguments) {
        return new QueueDeclaration(name, false, true, false, false, map(arguments));
    }

    private static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    private static QueueDeclaration exclusive(String name) {
        return new QueueDeclaration(name, false, false, true, false, Map.of());
    }

    private static ExchangeDefinition exchange(String name, String type, Object... arguments) {
        return new ExchangeDefinition(ExchangeName.of("/", name), type, true, false, false, map(arguments));
    }

    private void declare(String... names) {
        for (String name : names) {
            now(vhost.declareQueue(queue(name), ME));
        }
    }

    private static Message message(String exchange, String key, Object... headers) {
        byte[] header = headers.length == 0
                ? MessageProperties.NONE
                : MessageProperties.builder().headers(map(headers)).toBytes();
        return new Message(exchange, key, header, new byte[] {1}, false);
    }

    private List<String> routed(String exchange, String key, Object... headers) {
        return vhost.route(message(exchange, key, headers)).queues().stream()
                .map(handle -> handle.name().value())
                .sorted()
                .toList();
    }

    @Test
    void aDeclaredQueueIsThereAndMayBeDeclaredAgain() {
        DeclaredQueue fresh = now(vhost.declareQueue(queue("q", "x-message-ttl", 1000), ME));
        assertThat(fresh.counts().ready()).isZero();
        queues.computeIfAbsent(QueueName.of("/", "q"), StoredQueue::new).ready = 4;
        assertThat(now(vhost.declareQueue(queue("q", "x-message-ttl", 1000L, "foo", 1), OTHER))
                        .counts()
                        .ready())
                .isEqualTo(4);
        assertThat(now(vhost.inspectQueue("q", OTHER)).counts().ready()).isEqualTo(4);
        assertRefused(
                vhost.declareQueue(queue("q", "x-message-ttl", 2000), ME),
                Kind.PRECONDITION_FAILED,
                "inequivalent arg 'x-message-ttl' for queue 'q' in vhost '/': received '2000' but current is '1000'");
        assertRefused(
                vhost.declareQueue(queue("q"), ME),
                Kind.PRECONDITION_FAILED,
                "inequivalent arg 'x-message-ttl' for queue 'q' in vhost '/': received none but current is the value"
                        + " '1000' of type 'signedint'");
        assertRefused(
                vhost.declareQueue(exclusive("q"), ME),
                Kind.RESOURCE_LOCKED,
                "cannot obtain exclusive access to locked queue 'q' in vhost '/'. It could be originally declared on"
                        + " another connection or the exclusive property value does not match that of the original"
                        + " declaration.");
    }

    @Test
    void reservedNamesAreForTheServer() {
        assertRefused(
                vhost.declareQueue(queue("amq.mine"), ME),
                Kind.ACCESS_REFUSED,
                "queue name 'amq.mine' contains reserved prefix 'amq.*'");
        String generated = vhost.generateName("amq.gen");
        assertThat(generated).matches("amq\\.gen-[A-Za-z0-9_-]{22}");
        assertThat(vhost.generateName("amq.gen")).isNotEqualTo(generated);
        assertThat(now(vhost.declareQueue(new QueueDeclaration(generated, true, false, true, true, Map.of()), ME))
                        .name()
                        .value())
                .isEqualTo(generated);
        assertThat(now(vhost.declareQueue(queue("a\r\nb"), ME)).name().value()).isEqualTo("ab");
    }

    @Test
    void missingQueuesAreNotFound() {
        String reason = "no queue 'nosuch' in vhost '/'";
        assertRefused(vhost.inspectQueue("nosuch", ME), Kind.NOT_FOUND, reason);
        assertRefused(vhost.openQueue("nosuch", ME), Kind.NOT_FOUND, reason);
        assertRefused(vhost.purge("nosuch", ME), Kind.NOT_FOUND, reason);
        assertThat(now(vhost.deleteQueue("nosuch", true, true, ME))).isZero();
        assertThat(vhost.findQueue("nosuch", ME)).isNull();
    }

    @Test
    void aQueueDeclaredElsewhereIsFoundAfterCatchingUp() {
        definitions.setBehind(true);
        definitions.agree(new DefinitionChange.DeclareQueue(
                new QueueDefinition(QueueName.of("/", "far"), true, false, false, Map.of()), null));
        assertThat(vhost.findQueue("far", ME)).isNull();
        assertThat(now(vhost.openQueue("far", ME)).name().value()).isEqualTo("far");
        assertThat(vhost.findQueue("far", ME)).isNotNull();
    }

    @Test
    void anExclusiveQueueIsForItsConnectionAlone() {
        now(vhost.declareQueue(exclusive("x"), ME));
        assertThat(definitions.image().owner(QueueName.of("/", "x")))
                .isEqualTo(new QueueOwner(new NodeName("rabbit1@localhost"), 3, 7));
        assertThat(now(vhost.declareQueue(exclusive("x"), ME)).name().value()).isEqualTo("x");
        String reason =
                "cannot obtain exclusive access to locked queue 'x' in vhost '/'. It could be originally declared on"
                        + " another connection or the exclusive property value does not match that of the original declaration.";
        for (CompletionStage<?> stage : List.of(
                vhost.declareQueue(exclusive("x"), OTHER),
                vhost.declareQueue(queue("x"), ME),
                vhost.inspectQueue("x", OTHER),
                vhost.openQueue("x", OTHER),
                vhost.purge("x", OTHER),
                vhost.deleteQueue("x", false, false, OTHER),
                vhost.bindQueue("x", "amq.direct", "k", Map.of(), OTHER),
                vhost.unbindQueue("x", "amq.direct", "k", Map.of(), ""))) {
            assertRefused(stage, Kind.RESOURCE_LOCKED, reason);
        }
        assertThat(vhost.findQueue("x", OTHER)).isNull();
        assertThat(vhost.findQueue("x", ME)).isNotNull();
        assertThat(routed("", "x")).containsExactly("x");
        assertRefused(
                vhost.declareQueue(exclusive("y"), ""),
                Kind.PRECONDITION_FAILED,
                "only a connection can declare an exclusive queue");
    }

    @Test
    void exclusiveQueuesGoWithTheirConnection() {
        now(vhost.declareQueue(exclusive("x"), ME));
        now(vhost.declareQueue(exclusive("y"), OTHER));
        declare("shared");
        now(vhost.closeOwner(ME));
        assertThat(definitions.image().queues(ROOT)).containsOnlyKeys("shared", "y");
        now(vhost.closeOwner(ME));
        now(vhost.deleteQueue("y", false, false, OTHER));
        now(vhost.closeOwner(OTHER));
        assertThat(definitions.image().queues(ROOT)).containsOnlyKeys("shared");
    }

    @Test
    void exclusiveQueuesGoLaterWhenTheClusterDoesNotAnswer() {
        now(vhost.declareQueue(exclusive("x"), ME));
        definitions.setUnavailable(true);
        CompletionStage<Void> closed = vhost.closeOwner(ME);
        assertThat(closed.toCompletableFuture()).isNotDone();
        definitions.setUnavailable(false);
        timers.remove(0).run();
        assertThat(closed.toCompletableFuture()).isCompleted();
        assertThat(definitions.image().queues(ROOT)).isEmpty();
    }

    @Test
    void deletingMayDependOnWhatIsInTheQueue() {
        declare("q");
        StoredQueue stored = (StoredQueue) now(vhost.openQueue("q", ME));
        stored.ready = 1;
        stored.consumers = 1;
        assertRefused(
                vhost.deleteQueue("q", false, true, ME), Kind.PRECONDITION_FAILED, "queue 'q' in vhost '/' not empty");
        assertRefused(
                vhost.deleteQueue("q", true, false, ME), Kind.PRECONDITION_FAILED, "queue 'q' in vhost '/' in use");
        assertThat(now(vhost.deleteQueue("q", false, false, ME))).isEqualTo(1);
        assertThat(definitions.image().queues(ROOT)).isEmpty();
    }

    @Test
    void aQueueWithoutLeaderCanBeDeletedButNotOnConditions() {
        declare("q");
        StoredQueue stored = (StoredQueue) now(vhost.openQueue("q", ME));
        stored.isUnavailable = true;
        assertRefused(vhost.inspectQueue("q", ME), Kind.NOT_FOUND, "no leader");
        assertRefused(vhost.declareQueue(queue("q"), ME), Kind.NOT_FOUND, "no leader");
        assertRefused(vhost.purge("q", ME), Kind.NOT_FOUND, "no leader");
        assertRefused(
                vhost.deleteQueue("q", false, true, ME),
                Kind.PRECONDITION_FAILED,
                "queue 'q' in vhost '/' has no leader: whether it is empty or used is not known");
        assertThat(now(vhost.deleteQueue("q", false, false, ME))).isZero();
    }

    @Test
    void withoutAMajorityDeclaringFailsInsteadOfHanging() {
        definitions.setUnavailable(true);
        assertRefused(vhost.declareQueue(queue("q"), ME), Kind.INTERNAL_ERROR, "no majority");
        assertRefused(vhost.inspectQueue("q", ME), Kind.INTERNAL_ERROR, "no majority");
        assertRefused(vhost.declareExchange(exchange("e", "direct")), Kind.INTERNAL_ERROR, "no majority");
        assertRefused(vhost.inspectExchange("e"), Kind.INTERNAL_ERROR, "no majority");
        assertRefused(vhost.bindQueue("q", "e", "", Map.of(), ME), Kind.INTERNAL_ERROR, "no majority");
        assertRefused(vhost.deleteQueue("q", false, false, ME), Kind.INTERNAL_ERROR, "no majority");
    }

    @Test
    void exchangesAreDeclaredByTheRules() {
        now(vhost.declareExchange(exchange("e", "direct")));
        now(vhost.declareExchange(exchange("e", "direct", "unknown", 1)));
        now(vhost.declareExchange(exchange("amq.direct", "direct")));
        now(vhost.inspectExchange("e"));
        assertRefused(
                vhost.declareExchange(exchange("e", "topic")),
                Kind.PRECONDITION_FAILED,
                "inequivalent arg 'type' for exchange 'e' in vhost '/': received 'topic' but current is 'direct'");
        assertRefused(
                vhost.declareExchange(exchange("b", "bogus")), Kind.COMMAND_INVALID, "invalid exchange type 'bogus'");
        assertRefused(
                vhost.declareExchange(exchange("b", "x-delayed-message")),
                Kind.COMMAND_INVALID,
                "unknown exchange type 'x-delayed-message'");
        assertRefused(
                vhost.declareExchange(exchange("amq.mine", "direct")),
                Kind.ACCESS_REFUSED,
                "exchange name 'amq.mine' contains reserved prefix 'amq.*'");
        assertRefused(
                vhost.declareExchange(exchange("xe3", "direct", "alternate-exchange", 5)),
                Kind.PRECONDITION_FAILED,
                "invalid type 'signedint' for arg 'alternate-exchange' in exchange 'xe3' in vhost '/'");
        assertRefused(vhost.inspectExchange("nosuch"), Kind.NOT_FOUND, "no exchange 'nosuch' in vhost '/'");
        now(vhost.declareExchange(exchange("a\nb", "direct")));
        now(vhost.inspectExchange("ab"));
    }

    @Test
    void theDefaultExchangeIsNotToBeTouched() {
        String reason = "operation not permitted on the default exchange";
        declare("q");
        for (CompletionStage<?> stage : List.of(
                vhost.declareExchange(exchange("", "direct")),
                vhost.inspectExchange(""),
                vhost.deleteExchange("", false),
                vhost.bindQueue("q", "", "k", Map.of(), ME),
                vhost.unbindQueue("q", "", "k", Map.of(), ME),
                vhost.bindExchange("amq.direct", "", "k", Map.of()),
                vhost.bindExchange("", "amq.direct", "k", Map.of()))) {
            assertRefused(stage, Kind.ACCESS_REFUSED, reason);
        }
    }

    @Test
    void exchangesAreDeletedByTheRules() {
        now(vhost.declareExchange(exchange("e", "direct")));
        declare("q");
        now(vhost.bindQueue("q", "e", "k", Map.of(), ME));
        assertRefused(vhost.deleteExchange("e", true), Kind.PRECONDITION_FAILED, "exchange 'e' in vhost '/' in use");
        assertRefused(
                vhost.deleteExchange("amq.direct", false),
                Kind.ACCESS_REFUSED,
                "deletion of system exchange 'amq.direct' in vhost '/' not allowed");
        now(vhost.deleteExchange("e", false));
        now(vhost.deleteExchange("e", true));
        assertRefused(vhost.inspectExchange("e"), Kind.NOT_FOUND, "no exchange 'e' in vhost '/'");
    }

    @Test
    void bindingsNeedBothOfTheirEnds() {
        declare("q");
        assertRefused(
                vhost.bindQueue("nosuch", "nosuchx", "k", Map.of(), ME),
                Kind.NOT_FOUND,
                "no exchange 'nosuchx' in vhost '/'");
        assertRefused(
                vhost.bindQueue("nosuch", "amq.direct", "k", Map.of(), ME),
                Kind.NOT_FOUND,
                "no queue 'nosuch' in vhost '/'");
        assertRefused(
                vhost.bindExchange("nosuch", "amq.direct", "k", Map.of()),
                Kind.NOT_FOUND,
                "no exchange 'nosuch' in vhost '/'");
        now(vhost.unbindQueue("nosuch", "amq.direct", "k", Map.of(), ME));
        now(vhost.unbindQueue("q", "nosuch", "k", Map.of(), ME));
        now(vhost.unbindExchange("amq.direct", "amq.fanout", "k", Map.of()));
        assertRefused(
                vhost.bindQueue("q", "amq.headers", "", Map.of("x-match", "bogus"), ME),
                Kind.PRECONDITION_FAILED,
                "Invalid x-match field value <<\"bogus\">>; expected all, any, all-with-x, or any-with-x");
        now(vhost.bindQueue("q", "amq.direct", "k", Map.of(), ME));
        now(vhost.bindQueue("q", "amq.direct", "k", Map.of(), ME));
        assertThat(definitions.image().bindingsFrom(ExchangeName.of("/", "amq.direct")))
                .hasSize(1);
    }

    @Test
    void aBindingToAnExchangeDeclaredElsewhereIsCheckedAfterCatchingUp() {
        declare("q");
        definitions.setBehind(true);
        definitions.agree(new DefinitionChange.DeclareExchange(exchange("h", "headers")));
        assertRefused(
                vhost.bindQueue("q", "h", "", Map.of("x-match", 5), ME),
                Kind.PRECONDITION_FAILED,
                "Invalid x-match field type signedint (value 5); expected longstr");
    }

    @Test
    void routingFollowsWhatIsDeclared() {
        declare("a", "b");
        assertThat(routed("", "a")).containsExactly("a");
        assertThat(routed("", "nosuch")).isEmpty();
        assertThat(routed("amq.direct", "k")).isEmpty();
        now(vhost.bindQueue("a", "amq.direct", "k", Map.of(), ME));
        assertThat(routed("amq.direct", "k")).containsExactly("a");
        now(vhost.bindQueue("b", "amq.direct", "k", Map.of(), ME));
        assertThat(routed("amq.direct", "k")).containsExactly("a", "b");
        now(vhost.deleteQueue("a", false, false, ME));
        assertThat(routed("amq.direct", "k")).containsExactly("b");
        now(vhost.unbindQueue("b", "amq.direct", "k", Map.of(), ME));
        assertThat(routed("amq.direct", "k")).isEmpty();
        assertThatThrownBy(() -> routed("nosuch", "k")).hasMessage("no exchange 'nosuch' in vhost '/'");
    }

    @Test
    void routesThroughOtherExchangesFollowTheirChanges() {
        declare("a");
        now(vhost.declareExchange(exchange("e", "fanout")));
        now(vhost.bindExchange("e", "amq.topic", "#", Map.of()));
        assertThat(routed("amq.topic", "k")).isEmpty();
        now(vhost.bindQueue("a", "e", "", Map.of(), ME));
        assertThat(routed("amq.topic", "k")).containsExactly("a");
    }

    @Test
    void headersCountWhereTheyMustAndOnlyThere() {
        declare("a");
        now(vhost.bindQueue("a", "amq.headers", "", Map.of("n", 1), ME));
        assertThat(routed("amq.headers", "k", "n", 1)).containsExactly("a");
        assertThat(routed("amq.headers", "k", "n", 2)).isEmpty();
        assertThat(routed("amq.headers", "k")).isEmpty();
    }

    @Test
    void copiesGoToFurtherKeysAndBlindOnesAreNotShown() {
        declare("a", "b", "c");
        Routed routed = vhost.route(message("", "a", "CC", List.of("b"), "BCC", List.of("c", "a")));
        assertThat(routed.queues()).hasSize(3);
        assertThat(MessageProperties.of(routed.message()).headers()).containsOnlyKeys("CC");
        now(vhost.bindQueue("b", "amq.direct", "2", Map.of(), ME));
        assertThat(routed("amq.direct", "1", "CC", List.of("2"))).containsExactly("b");
        assertThat(routed("amq.direct", "1")).isEmpty();
        assertThat(routed("", "a", "ACC", 5)).containsExactly("a");
        assertThatThrownBy(() -> routed("", "a", "CC", "b"))
                .hasMessage("invalid message: {unacceptable_type_in_header,\"CC\",longstr}");
    }

    @Test
    void internalExchangesTakeNothingFromOutside() {
        now(vhost.declareExchange(
                new ExchangeDefinition(ExchangeName.of("/", "xint"), "fanout", true, false, true, Map.of())));
        assertThatThrownBy(() -> routed("xint", "k"))
                .isInstanceOfSatisfying(
                        BrokerException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(Kind.ACCESS_REFUSED))
                .hasMessage("cannot publish to internal exchange 'xint' in vhost '/'");
        assertThat(vhost.routeInside(message("xint", "k")).queues()).isEmpty();
    }

    @Test
    void thePolicysAlternateExchangeYieldsToTheArgument() {
        declare("argument", "policy");
        now(vhost.declareExchange(exchange("one", "direct", "alternate-exchange", "ae1")));
        now(vhost.declareExchange(exchange("two", "direct")));
        now(vhost.declareExchange(exchange("ae1", "fanout")));
        now(vhost.declareExchange(exchange("ae2", "fanout")));
        now(vhost.bindQueue("argument", "ae1", "", Map.of(), ME));
        now(vhost.bindQueue("policy", "ae2", "", Map.of(), ME));
        assertThat(routed("two", "k")).isEmpty();
        definitions.agree(new DefinitionChange.PutPolicy(
                new PolicyDefinition(ROOT, "p", "", ApplyTo.EXCHANGES, 0, Map.of("alternate-exchange", "ae2"))));
        assertThat(routed("one", "k")).containsExactly("argument");
        assertThat(routed("two", "k")).containsExactly("policy");
        definitions.agree(new DefinitionChange.DeletePolicy(ROOT, "p"));
        assertThat(routed("two", "k")).isEmpty();
    }

    @Test
    void publishingHandsTheMessageToEveryQueue() {
        declare("a", "b");
        now(vhost.bindQueue("a", "amq.fanout", "", Map.of(), ME));
        now(vhost.bindQueue("b", "amq.fanout", "", Map.of(), ME));
        List<Long> answers = new ArrayList<>();
        Publisher publisher = new Publisher() {
            @Override
            public long channelSerial() {
                return 1;
            }

            @Override
            public SerialExecutor executor() {
                return new ManualExecutor(timers);
            }

            @Override
            public void answered(long number, boolean isConfirmed) {
                answers.add(number);
            }
        };
        assertThat(vhost.publish(publisher, 5, message("amq.fanout", ""))).isEqualTo(2);
        assertThat(vhost.publish(publisher, 6, message("", "nosuch"))).isZero();
        assertThat(answers).containsExactly(5L, 5L);
    }

    @Test
    void manyKeysDoNotGrowTheCachesWithoutBound() {
        declare("a");
        now(vhost.bindQueue("a", "amq.topic", "#", Map.of(), ME));
        for (int i = 0; i < 25_000; i++) {
            assertThat(vhost.route(message("amq.topic", "k" + i)).queues()).hasSize(1);
            vhost.route(message("", "k" + i));
        }
        assertThat(routed("amq.topic", "k1")).containsExactly("a");
    }

    @Test
    void vhostsComeAndGoWithTheDefinitions() {
        VhostName other = new VhostName("other");
        assertThat(vhosts.find(other)).isNull();
        definitions.setBehind(true);
        definitions.agree(new DefinitionChange.PutVhost(new VhostDefinition(other, "", List.of())));
        assertThat(vhosts.find(other)).isNull();
        VirtualHost found = now(vhosts.lookUp(other));
        assertThat(found.name()).isEqualTo(other);
        assertThat(now(vhosts.lookUp(other))).isSameAs(found);
        now(definitions.submit(new DefinitionChange.DeleteVhost(other)));
        assertThat(vhosts.find(other)).isNull();
        now(vhost.upToDate());
    }
}
