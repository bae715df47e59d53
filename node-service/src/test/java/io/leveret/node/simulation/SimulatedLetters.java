package io.leveret.node.simulation;

import io.leveret.model.QueueName;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.model.definition.VhostDefinition;
import io.leveret.node.broker.definitions.DefinitionChange;
import io.leveret.node.broker.definitions.InMemoryDefinitions;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.DeadLetterSink;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LetterSource;
import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.broker.queue.QueueCounts;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.queue.QueueSettings;
import io.leveret.node.broker.queue.QueueStatistics;
import io.leveret.node.broker.queue.Subscriber;
import io.leveret.node.broker.queue.Subscription;
import io.leveret.node.broker.queue.SubscriptionOptions;
import io.leveret.node.broker.vhost.DeadLetterRouter;
import io.leveret.node.broker.vhost.VirtualHosts;
import io.leveret.node.cluster.replication.Seams;
import io.leveret.node.runtime.ManualExecutor;
import io.leveret.node.runtime.Randomness;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;

/**
 * Two queues on the same nodes, the dead letters of one going to the other at least once. Each has a network, disks, metadata
 * and faults of its own; a crash is one of the process, and takes both, and metadata is one log.
 */
final class SimulatedLetters {
    private static final int STEPS = 1_600;
    private static final int REST_STEPS = 60_000;
    private static final QueueName TARGET = new QueueName(SimulatedCluster.QUEUE.vhost(), "t");

    final SimulatedCluster source;
    final SimulatedCluster target;
    /** A fault: the target is told to forget before the source's settle is safe. */
    final boolean isToldAtOnce;

    private final InMemoryDefinitions definitions = new InMemoryDefinitions();
    /** Of each process. */
    private final Map<ManualExecutor, DeadLetterRouter> routers = new IdentityHashMap<>();

    private final Random random;

    SimulatedLetters(long seed, Seams seams, boolean isToldAtOnce, boolean isTraced) {
        this.isToldAtOnce = isToldAtOnce;
        random = new Random(seed);
        source = new SimulatedCluster(seed, seams, isTraced, SimulatedCluster.Role.SOURCE);
        target = new SimulatedCluster(seed + 1_000_000, seams, isTraced, SimulatedCluster.Role.TARGET);
        source.letters = this;
        target.letters = this;
        definitions.agree(new DefinitionChange.PutVhost(new VhostDefinition(TARGET.vhost(), "", List.of())));
        Map<String, Object> arguments = Map.of(
                "x-dead-letter-exchange",
                "",
                "x-dead-letter-routing-key",
                TARGET.value(),
                "x-dead-letter-strategy",
                "at-least-once");
        declare(SimulatedCluster.QUEUE, arguments);
        declare(TARGET, Map.of());
        for (int at = 0; at < Math.min(source.nodes.size(), target.nodes.size()); at++) {
            source.nodes.get(at).twin = target.nodes.get(at);
            target.nodes.get(at).twin = source.nodes.get(at);
        }
    }

    private void declare(QueueName name, Map<String, Object> arguments) {
        definitions.agree(
                new DefinitionChange.DeclareQueue(new QueueDefinition(name, true, false, false, arguments), null));
    }

    static QueueSettings sourceSettings(Random random) {
        Map<String, Object> limit = random.nextBoolean() ? Map.of("max-length", 3L) : Map.of();
        return QueueSettings.of(Map.of("x-dead-letter-exchange", "", "x-dead-letter-strategy", "at-least-once"), limit);
    }

    SimulatedCluster other(SimulatedCluster one) {
        return one == source ? target : source;
    }

    // ---- the way from one to the other

    /** Of a leader of the source; one of the target drops nothing by its dead letters, as it has no exchange for them. */
    DeadLetterSink sink(SimulatedReplica leader, long epoch) {
        SimulatedNode node = leader.node;
        if (node.cluster == target) {
            return DeadLetterSink.NONE;
        }
        DeadLetterRouter router = routers.computeIfAbsent(node.executor, fresh -> router(node));
        return router.sinkOf(
                SimulatedCluster.QUEUE, new LetterSource(leader.stream.incarnation(), epoch), node.executor);
    }

    private DeadLetterRouter router(SimulatedNode node) {
        Target handle = new Target(node);
        VirtualHosts vhosts = new VirtualHosts(new VirtualHosts.Services(
                definitions,
                name -> name.equals(TARGET) && node.twin.client().knowsQueue() ? handle : null,
                node.executor,
                NO_CHANCE));
        return new DeadLetterRouter(vhosts, definitions, node.executor);
    }

    /** The answer comes to the loop of the source later. */
    void answered(SimulatedNode there, Publisher letters, long number, boolean isConfirmed) {
        SimulatedNode here = there.twin;
        if (here.replica != null) {
            here.later(here.replica, () -> letters.answered(number, isConfirmed));
        }
    }

    // ---- the run

    Coverage run() {
        build();
        for (int step = 0; step < STEPS; step++) {
            (random.nextBoolean() ? source : target).faultyStep();
            letTimePass();
        }
        source.beginRest();
        target.beginRest();
        for (int step = 0; step < REST_STEPS; step++) {
            (random.nextBoolean() ? source : target).step();
            letTimePass();
            if (step % 50 == 0) {
                source.repair(step);
                target.repair(step);
                if (source.isAtRest() && target.isAtRest() && isEmpty()) {
                    source.checks.atRest();
                    target.checks.atRest();
                    checkLetters();
                    return source.coverage();
                }
            }
        }
        throw source.isAtRest() ? target.noRest() : source.noRest();
    }

    private void build() {
        source.build();
        target.build();
    }

    private void letTimePass() {
        SimulatedNode node = source.nodes.get(random.nextInt(source.nodes.size()));
        if (node.isAlive) {
            node.executor.advanceMillis(random.nextInt(60));
            node.inBatch(() -> {});
        }
    }

    private boolean isEmpty() {
        SimulatedReplica leader = source.leadingReplica();
        long[] waiting = new long[1];
        leader.node.inBatch(() -> waiting[0] = leader.queue.statistics().deadLettering());
        return waiting[0] == 0 && source.isAtRest();
    }

    /** What the source has let go of, the target has got, once. */
    private void checkLetters() {
        SimulatedReplica from = source.leadingReplica();
        SimulatedReplica to = target.leadingReplica();
        Ledger sent = source.ledger(from.stream.incarnation());
        Ledger got = target.ledger(to.stream.incarnation());
        List<MessageId> letters = sent.deadLetters(from.state);
        source.coverage.letters += letters.size();
        if (sent.isLossless() && got.isLossless()) {
            source.coverage.lettersChecked += letters.size();
            for (MessageId each : letters) {
                got.checkLetter(Origin.ofLetter(from.stream.incarnation(), each), to.state);
            }
        }
        source.coverage.lettersKnown += Seams.lettersKnown(to.state, from.stream.incarnation());
    }

    private static final Randomness NO_CHANCE = new Randomness() {
        @Override
        public void fill(byte[] bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long nextLong() {
            throw new UnsupportedOperationException();
        }
    };

    /** The target queue as the process of a leader of the source sees it. */
    private static final class Target implements QueueHandle {
        private final SimulatedNode here;

        Target(SimulatedNode here) {
            this.here = here;
        }

        private void there(java.util.function.Consumer<SimulatedClient> act) {
            SimulatedNode there = here.twin;
            if (there.isAlive) {
                there.inBatch(() -> act.accept(there.client()));
            }
        }

        @Override
        public QueueName name() {
            return TARGET;
        }

        @Override
        public void publish(Publisher publisher, long number, Message message) {
            there(client -> client.publishLetter(publisher, number, message, false));
        }

        @Override
        public void publishAgain(Publisher publisher, long number, Message message) {
            there(client -> client.publishLetter(publisher, number, message, true));
        }

        @Override
        public void lettersSettled(Publisher publisher, MessageId floor, IdRuns letters) {
            there(client -> client.lettersSettled(publisher, floor, letters));
        }

        @Override
        public void publisherClosed(Publisher publisher) {
            there(client -> client.lettersClosed(publisher));
        }

        @Override
        public void settle(Publisher publisher, long number, IdRuns ids) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Subscription> subscribe(Subscriber subscriber, SubscriptionOptions options) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Long> get(Subscription passive) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<QueueCounts> counts() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<Long> purge() {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<QueueStatistics> statistics() {
            throw new UnsupportedOperationException();
        }
    }
}
