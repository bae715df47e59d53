package io.leveret.node.amqp.server;

import io.leveret.model.QueueName;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LeaderSubscription;
import io.leveret.node.broker.queue.MemoryBudget;
import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.broker.queue.QueueCounts;
import io.leveret.node.broker.queue.QueueEnd;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.queue.QueueLeader;
import io.leveret.node.broker.queue.QueueSettings;
import io.leveret.node.broker.queue.QueueState;
import io.leveret.node.broker.queue.QueueStatistics;
import io.leveret.node.broker.queue.QueueUnavailableException;
import io.leveret.node.broker.queue.Subscriber;
import io.leveret.node.broker.queue.Subscription;
import io.leveret.node.broker.queue.SubscriptionOptions;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.SerialExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** A queue of one node and no disk: the real leader over a log that counts. Answers publishes at once, or when let. */
final class MemoryQueue implements QueueHandle {
    private final QueueName name;
    private final SerialExecutor executor;
    private final QueueState state = new QueueState();
    private final QueueLeader leader;
    private long index;
    /** While true, publishes are kept but not answered, as when a mirror does not answer. */
    volatile boolean isStuck;

    /** Whether the last subscriber could take deliveries before it was told that it is open. */
    volatile boolean wasWritableWhileOpening;

    /** Deliveries that consumers have handed back, unseen. */
    final AtomicInteger givenBack = new AtomicInteger();

    private final List<Runnable> stuckAnswers = new ArrayList<>();

    MemoryQueue(QueueDefinition definition, SerialExecutor executor, NodeClock clock, Runnable lastConsumerLeft) {
        this.name = definition.name();
        this.executor = executor;
        QueueEnd end = new QueueEnd() {
            @Override
            public void lastConsumerLeft() {
                if (definition.isAutoDelete()) {
                    lastConsumerLeft.run();
                }
            }

            @Override
            public void expired() {
                throw new IllegalStateException("queues do not expire here");
            }
        };
        leader = new QueueLeader(
                new QueueLeader.Wiring(
                        executor,
                        clock,
                        state,
                        event -> {
                            MessageId id = new MessageId(1, ++index);
                            state.apply(event, id, removed -> {});
                            return id;
                        },
                        (requests, completion) -> {
                            throw new IllegalStateException("bodies stay in memory");
                        },
                        new MemoryBudget(Long.MAX_VALUE),
                        (id, message, why, committed) -> committed.run(),
                        MessageId.ZERO,
                        null,
                        end),
                QueueSettings.of(definition.arguments(), Map.of()));
    }

    @Override
    public QueueName name() {
        return name;
    }

    @Override
    public void publish(Publisher publisher, long number, Message message) {
        hand(publisher.executor(), () -> {
            boolean isTaken = leader.publish(message, null, 0, false) != null;
            Runnable answer = () -> executor.handOver(publisher.executor(), () -> publisher.answered(number, isTaken));
            if (isStuck) {
                stuckAnswers.add(answer);
            } else {
                answer.run();
            }
        });
    }

    @Override
    public void settle(Publisher publisher, long number, IdRuns ids) {
        hand(publisher.executor(), () -> {
            leader.settle(ids);
            Runnable answer = () -> executor.handOver(publisher.executor(), () -> publisher.answered(number, true));
            if (isStuck) {
                stuckAnswers.add(answer);
            } else {
                answer.run();
            }
        });
    }

    /** Gives the answers that were held back. */
    void unstick() {
        isStuck = false;
        executor.run(() -> {
            stuckAnswers.forEach(Runnable::run);
            stuckAnswers.clear();
        });
    }

    private void hand(SerialExecutor from, Runnable task) {
        if (executor.isInside()) {
            task.run();
        } else {
            from.handOver(executor, task);
        }
    }

    @Override
    public void publishAgain(Publisher publisher, long number, Message message) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void lettersSettled(Publisher publisher, MessageId floor, IdRuns letters) {}

    @Override
    public void publisherClosed(Publisher publisher) {}

    @Override
    public CompletionStage<Subscription> subscribe(Subscriber subscriber, SubscriptionOptions options) {
        return askAfterPublishes(subscriber.executor(), () -> {
            wasWritableWhileOpening = subscriber.isWritable();
            return new Handed(subscriber.executor(), leader.subscribe(subscriber, options));
        });
    }

    @Override
    public CompletionStage<Long> get(Subscription passive) {
        Handed handed = (Handed) passive;
        return askAfterPublishes(handed.subscriber, () -> leader.get(handed.at)).thenCompose(stage -> stage);
    }

    @Override
    public CompletionStage<QueueCounts> counts() {
        return ask(leader::counts);
    }

    @Override
    public CompletionStage<Long> purge() {
        return ask(leader::purge);
    }

    @Override
    public CompletionStage<QueueStatistics> statistics() {
        return ask(leader::statistics);
    }

    void delete() {
        executor.run(leader::delete);
    }

    private <T> CompletionStage<T> ask(Supplier<T> question) {
        return ask(executor::run, question);
    }

    /** On the way that publishes of the same executor take. */
    private <T> CompletionStage<T> askAfterPublishes(SerialExecutor from, Supplier<T> question) {
        return ask(task -> hand(from, task), question);
    }

    private static <T> CompletionStage<T> ask(Executor way, Supplier<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        way.execute(() -> {
            try {
                answer.complete(question.get());
            } catch (QueueUnavailableException | io.leveret.node.broker.queue.SubscriptionRefusedException e) {
                answer.completeExceptionally(e);
            }
        });
        return answer;
    }

    /** A subscription seen from the subscriber's executor. */
    private final class Handed implements Subscription {
        private final SerialExecutor subscriber;
        private final LeaderSubscription at;

        Handed(SerialExecutor subscriber, LeaderSubscription at) {
            this.subscriber = subscriber;
            this.at = at;
        }

        @Override
        public void settle(long from, long to, Settlement settlement) {
            hand(subscriber, () -> at.settle(from, to, settlement));
        }

        @Override
        public CompletionStage<Void> identify() {
            return ask(() -> null);
        }

        /** This queue never has another leader: what was settled is settled. */
        @Override
        public int identified(long from, long to, IdRuns.Builder ids) {
            return (int) (to - from + 1);
        }

        @Override
        public void giveBack(long number) {
            givenBack.incrementAndGet();
            hand(subscriber, () -> at.giveBack(number));
        }

        @Override
        public void pause() {
            hand(subscriber, at::pause);
        }

        @Override
        public void resume() {
            hand(subscriber, at::resume);
        }

        @Override
        public void cancel() {
            hand(subscriber, at::cancel);
        }

        @Override
        public void close() {
            hand(subscriber, at::close);
        }
    }
}
