package io.leveret.node.broker.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.Subscription.Settlement;
import io.leveret.node.runtime.ManualExecutor;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random lives of a queue against a naive model. With near subscribers the model says exactly which message comes next; with
 * far ones it checks what reaches them. In both, nothing is lost, doubled, unflagged, or over the prefetch.
 */
class QueueLeaderModelTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void nearSubscribersGetTheFirstReadyMessageEachTime(long seed) {
        new Model(seed, false, false).run(6000);
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14})
    void bodiesThatLeftMemoryChangeNothing(long seed) {
        new Model(seed, false, true).run(6000);
    }

    @ParameterizedTest
    @ValueSource(longs = {21, 22, 23, 24})
    void farSubscribersGetEachMessageOnce(long seed) {
        new Model(seed, true, seed % 2 == 0).run(6000);
    }

    @ParameterizedTest
    @ValueSource(longs = {31, 32, 33, 34})
    void prioritiesComeBeforeAge(long seed) {
        Model model = new Model(seed, false, seed % 2 == 0);
        model.priorities = 4;
        model.queue.configure(Map.of("x-max-priority", 3));
        model.run(4000);
    }

    private static final class Entry {
        final String text;
        boolean isRedelivered;
        int priority;

        @Nullable
        Subscriber holder;

        Entry(String text, boolean isRedelivered) {
            this.text = text;
            this.isRedelivered = isRedelivered;
        }
    }

    private static final class Model {
        final String seedText;
        final Random random;
        final boolean isFar;
        final boolean isPaging;
        final LeaderFixture queue;
        final TreeMap<MessageId, Entry> messages = new TreeMap<>();
        final Map<String, MessageId> ids = new java.util.HashMap<>();
        final List<Consumer> consumers = new ArrayList<>();
        int next;
        int priorities = 1;
        long merged = 1000;

        Model(long seed, boolean isFar, boolean isPaging) {
            seedText = "seed " + seed;
            random = new Random(seed);
            this.isFar = isFar;
            this.isPaging = isPaging;
            queue = new LeaderFixture(QueueSettings.NONE, isPaging ? 0 : Long.MAX_VALUE, 20);
            queue.state.live().forEach(entry -> {
                String text = "old" + entry.id().index();
                messages.put(entry.id(), new Entry(text, true));
                ids.put(text, entry.id());
            });
        }

        void run(int steps) {
            for (int step = 0; step < steps; step++) {
                if (random.nextInt(3) > 0 || consumers.isEmpty()) {
                    step();
                } else {
                    consumers.get(random.nextInt(consumers.size())).act();
                }
                if (random.nextInt(4) == 0) {
                    queue.loop.advanceMillis(random.nextInt(2 * LeaderFixture.READ_MILLIS));
                }
                if (random.nextInt(10) == 0) {
                    queue.loop.inside(() -> {
                        queue.fsync();
                        if (isPaging && random.nextInt(3) == 0) {
                            queue.detachAll();
                        }
                    });
                }
                if (!isFar || random.nextInt(3) == 0) {
                    ManualExecutor.settle(queue.loop, queue.farLoop);
                }
                if (!isFar) {
                    assertThat(queue.state.live().count()).as(seedText).isEqualTo(messages.size());
                }
            }
            drain();
        }

        void step() {
            int kind = random.nextInt(40);
            if (kind < 30) {
                int count = random.nextInt(20) == 0 ? 400 : random.nextInt(4);
                queue.loop.inside(() -> {
                    for (int i = 0; i < count; i++) {
                        publish(random.nextInt(10) == 0);
                    }
                });
            } else if (kind < 32 && consumers.size() < 8) {
                Consumer consumer = new Consumer(isFar ? queue.farLoop : queue.loop, random.nextInt(6));
                consumers.add(consumer);
                SubscriptionOptions options = new SubscriptionOptions(
                        "", "", random.nextInt(5) == 0, false, consumer.prefetch, false, Map.of());
                consumer.isNoAck = options.isNoAck();
                queue.loop.inside(() -> consumer.subscription = queue.leader.subscribe(consumer, options));
            } else if (kind == 33 && random.nextInt(8) == 0 && !isFar) {
                queue.loop.inside(() -> {
                    queue.leader.purge();
                    messages.values().removeIf(entry -> entry.holder == null);
                });
            } else if (kind == 34 && !isFar) {
                queue.loop.inside(this::merge);
            }
        }

        void publish(boolean isAgain) {
            String text = "m" + next++;
            int priority = random.nextInt(priorities);
            byte[] header = {8, 0, (byte) priority};
            Message message = new Message("", "q", header, text.getBytes(StandardCharsets.UTF_8), true);
            MessageId id = queue.leader.publish(message, null, 0, isAgain);
            Entry entry = new Entry(text, isAgain);
            entry.priority = priority;
            messages.put(id, entry);
            ids.put(text, id);
        }

        void merge() {
            MessageId id = new MessageId(1, merged++);
            String text = "merged" + merged;
            LiveMessage entry =
                    LiveMessage.of(id, new QueueEvent.Published(LeaderFixture.message(text), null, 0, true));
            queue.state.live().add(entry);
            messages.put(id, new Entry(text, true));
            ids.put(text, id);
            queue.leader.merged(id);
        }

        /** A last consumer takes and acks what is left, and each message comes once. */
        void drain() {
            for (Consumer each : consumers) {
                queue.loop.inside(() -> {
                    each.subscription.close();
                    each.forgetAll();
                });
            }
            ManualExecutor.settle(queue.loop, queue.farLoop);
            consumers.forEach(Consumer::forgetAll);
            Consumer last = new Consumer(queue.loop, 0);
            queue.loop.inside(() -> last.subscription = queue.leader.subscribe(last, LeaderFixture.options(0, false)));
            for (int round = 0; round < 10_000 && !messages.isEmpty(); round++) {
                queue.loop.advanceMillis(1);
                queue.loop.inside(() -> {
                    last.isPaused = false;
                    last.subscription.resume();
                    last.settle(1, Long.MAX_VALUE, Settlement.ACK);
                });
                queue.loop.inside(queue::fsync);
            }
            assertThat(messages.size()).as(seedText).isZero();
            assertThat(queue.state.live().count()).as(seedText).isZero();
            assertThat(queue.state.live().residentBytes()).as(seedText).isZero();
            assertThat(queue.state.live().readyBytes()).as(seedText).isZero();
            assertThat(queue.reads > 100).as(seedText + " reads " + queue.reads).isEqualTo(isPaging);
        }

        final class Consumer implements Subscriber {
            final ManualExecutor executor;
            final int prefetch;
            final TreeMap<Long, MessageId> unsettled = new TreeMap<>();
            LeaderSubscription subscription;
            boolean isNoAck;
            boolean isPaused;
            boolean isGone;
            long lastNumber;

            Consumer(ManualExecutor executor, int prefetch) {
                this.executor = executor;
                this.prefetch = prefetch;
            }

            @Override
            public SerialExecutor executor() {
                return executor;
            }

            @Override
            public boolean isWritable() {
                return !isPaused;
            }

            @Override
            public void cancelled(CancelReason reason) {
                throw new AssertionError(seedText);
            }

            @Override
            public void deliver(long number, Message message, boolean isRedelivered) {
                if (isGone) {
                    return;
                }
                MessageId id = ids.get(LeaderFixture.text(message));
                Entry entry = messages.get(id);
                assertThat(entry).as(seedText + " " + id).isNotNull();
                assertThat(entry.holder).as(seedText + " " + id).isNull();
                assertThat(number).as(seedText).isEqualTo(++lastNumber);
                assertThat(isRedelivered).as(seedText + " " + id).isEqualTo(entry.isRedelivered);
                if (!isFar) {
                    assertThat(id).as(seedText).isEqualTo(firstReady());
                }
                if (isNoAck) {
                    messages.remove(id);
                    return;
                }
                entry.holder = this;
                unsettled.put(number, id);
                if (prefetch > 0) {
                    assertThat(unsettled.size()).as(seedText).isLessThanOrEqualTo(prefetch);
                }
                if (!isFar && random.nextInt(50) == 0) {
                    isPaused = true;
                    subscription.giveBack(number);
                    unsettled.remove(number);
                    entry.holder = null;
                }
            }

            @Nullable
            MessageId firstReady() {
                MessageId first = null;
                int highest = -1;
                for (Map.Entry<MessageId, Entry> each : messages.entrySet()) {
                    if (each.getValue().holder == null && each.getValue().priority > highest) {
                        first = each.getKey();
                        highest = each.getValue().priority;
                    }
                    if (highest == priorities - 1) {
                        break;
                    }
                }
                return first;
            }

            /** As its client would act, in one batch. */
            void act() {
                queue.loop.inside(() -> {
                    int kind = random.nextInt(20);
                    if (kind < 12 && !unsettled.isEmpty()) {
                        List<Long> numbers = new ArrayList<>(unsettled.keySet());
                        long from = numbers.get(random.nextInt(numbers.size()));
                        long to = random.nextBoolean() ? from : from + random.nextInt(100);
                        Settlement[] all = Settlement.values();
                        settle(from, to, all[random.nextInt(all.length)]);
                    } else if (kind < 15) {
                        isPaused = false;
                        subscription.resume();
                    } else if (kind == 15) {
                        isPaused = true;
                    } else if (kind == 16 && random.nextInt(4) == 0) {
                        subscription.close();
                        forgetAll();
                        consumers.remove(this);
                    }
                });
            }

            void settle(long from, long to, Settlement settlement) {
                for (MessageId id :
                        List.copyOf(unsettled.subMap(from, true, to, true).values())) {
                    Entry entry = messages.get(id);
                    entry.holder = null;
                    if (settlement == Settlement.REQUEUE) {
                        entry.isRedelivered = true;
                    } else {
                        messages.remove(id);
                    }
                }
                unsettled.subMap(from, true, to, true).clear();
                // Of a far subscriber only what has arrived there can be meant.
                subscription.settle(from, Math.min(to, lastNumber), settlement);
            }

            /** Closed: all that was out comes back flagged, also what was still on its way. */
            void forgetAll() {
                isGone = true;
                unsettled.values().forEach(id -> {
                    Entry entry = messages.get(id);
                    entry.holder = null;
                    entry.isRedelivered = true;
                });
                unsettled.clear();
                if (isFar) {
                    ManualExecutor.settle(queue.loop, queue.farLoop);
                    messages.forEach((id, entry) -> {
                        LiveMessage held = queue.state.live().get(id);
                        if (held != null) {
                            entry.isRedelivered |= held.isRedelivered();
                        }
                    });
                    messages.keySet()
                            .removeIf(id -> isNoAck && !queue.state.live().contains(id));
                }
            }
        }
    }
}
