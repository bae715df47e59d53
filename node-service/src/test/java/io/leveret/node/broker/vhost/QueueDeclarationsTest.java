package io.leveret.node.broker.vhost;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.QueueOwner;
import io.leveret.node.broker.vhost.BrokerException.Kind;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Queues of a vhost: declared, locked, deleted. */
class QueueDeclarationsTest extends VhostFixture {
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
}
