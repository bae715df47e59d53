package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.runtime.ManualExecutor;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A leader over a log that only counts and a disk that is a map; one loop for the queue, one for far subscribers. */
final class LeaderFixture implements QueueLog, BodyReader, QueueEnd {
    static final int READ_MILLIS = 2;

    final ManualExecutor loop = new ManualExecutor();
    final ManualExecutor farLoop = new ManualExecutor();
    final QueueState state = new QueueState();
    final List<String> events = new ArrayList<>();
    final List<String> deadLetters = new ArrayList<>();
    final List<String> settledLetters = new ArrayList<>();
    /** What tells the leader that a dead letter has arrived, in their order. */
    final ArrayDeque<Runnable> targets = new ArrayDeque<>();

    final Map<Long, Message> disk = new HashMap<>();
    final MemoryBudget budget;
    final ResidentBodies bodies;
    final QueueLeader leader;
    long epoch = 1;
    long index;
    long nextPosition = 1;
    long durable;
    int reads;
    int consumersLeft;
    int expired;
    int bodiesReadMax;

    LeaderFixture() {
        this(QueueSettings.NONE, Long.MAX_VALUE, 0);
    }

    /** @param inherited messages that are in the queue before the leadership */
    LeaderFixture(QueueSettings settings, long budgetBytes, int inherited) {
        budget = new MemoryBudget(budgetBytes);
        bodies = new ResidentBodies(state.live(), budget, position -> position <= durable);
        for (int i = 1; i <= inherited; i++) {
            append(new QueueEvent.Published(message("old" + i), null, 0, false));
        }
        MessageId last = new MessageId(epoch, index);
        epoch = 2;
        index = 0;
        DeadLetterSink sink = new DeadLetterSink() {
            @Override
            public void deadLetter(@Nullable MessageId id, Message message, QueueEvent.Reason why, Runnable committed) {
                deadLetters.add((id == null ? "-" : id) + ":" + text(message) + " " + why);
                targets.add(committed);
            }

            @Override
            public void settled(IdRuns letters, MessageId floor) {
                settledLetters.add(letters + " floor " + floor);
            }
        };
        leader = new QueueLeader(
                new QueueLeader.Wiring(loop, loop, state, this, this, budget, sink, last, null, this), settings);
    }

    @Override
    public void lastConsumerLeft() {
        consumersLeft++;
    }

    @Override
    public void expired() {
        expired++;
    }

    /** Everything up to this event of the epoch is committed. */
    void commit(long point) {
        inside(() -> leader.committed(new MessageId(epoch, point), new MessageId(epoch, index)));
    }

    static Message message(String text) {
        return new Message("", "q", new byte[2], text.getBytes(StandardCharsets.UTF_8), true);
    }

    static String text(Message message) {
        return new String(message.body(), StandardCharsets.UTF_8);
    }

    @Override
    public MessageId append(QueueEvent event) {
        MessageId id = new MessageId(epoch, ++index);
        state.apply(event, id, removed -> disk.remove(removed.position()));
        if (event instanceof QueueEvent.Published) {
            long position = nextPosition++;
            state.live().setPosition(id, position);
            disk.put(position, ((QueueEvent.Published) event).message());
        } else {
            events.add(event.toString());
        }
        return id;
    }

    @Override
    public void read(List<Request> requests, Completion completion) {
        reads++;
        bodiesReadMax = Math.max(bodiesReadMax, requests.size());
        List<@Nullable Message> found = new ArrayList<>();
        requests.forEach(each -> found.add(disk.get(each.position())));
        loop.schedule(() -> completion.completed(found), READ_MILLIS * 1_000_000L);
    }

    /** All that was appended is on disk. */
    void fsync() {
        durable = nextPosition - 1;
        bodies.trim();
    }

    /** Lets all bodies go from memory that are on disk, whatever the budget. */
    void detachAll() {
        List<MessageId> ids = new ArrayList<>();
        state.live().forEach(entry -> {
            if (entry.position() <= durable) {
                ids.add(entry.id());
            }
        });
        ids.forEach(state.live()::detach);
    }

    void publish(String... texts) {
        inside(() -> {
            for (String text : texts) {
                leader.publish(message(text), null, 0, false);
            }
        });
    }

    void configure(Map<String, Object> arguments) {
        inside(() -> leader.configure(QueueSettings.of(arguments, Map.of())));
    }

    void inside(Runnable task) {
        loop.inside(task);
        ManualExecutor.settle(loop, farLoop);
    }

    Client consume(int prefetch) {
        return client(options(prefetch, false), loop);
    }

    Client client(SubscriptionOptions options, ManualExecutor executor) {
        Client client = new Client(executor);
        inside(() -> client.subscription = leader.subscribe(client, options));
        return client;
    }

    static SubscriptionOptions options(int prefetch, boolean isNoAck) {
        return new SubscriptionOptions("id", "tag", isNoAck, false, prefetch, false, Map.of());
    }

    static SubscriptionOptions passive(boolean isNoAck) {
        return new SubscriptionOptions("id", "", isNoAck, false, 0, true, Map.of());
    }

    /** A consumer that writes down what it gets: "number:text", with "!" when redelivered. */
    static final class Client implements Subscriber {
        final ManualExecutor executor;
        final List<String> got = new ArrayList<>();
        boolean isWritable = true;

        @Nullable
        Consumer<Long> onDelivery;

        LeaderSubscription subscription;

        Client(ManualExecutor executor) {
            this.executor = executor;
        }

        @Override
        public SerialExecutor executor() {
            return executor;
        }

        @Override
        public boolean isWritable() {
            return isWritable;
        }

        @Override
        public void deliver(long number, Message message, boolean isRedelivered) {
            executor.assertInside();
            got.add(number + ":" + text(message) + (isRedelivered ? "!" : ""));
            if (onDelivery != null) {
                onDelivery.accept(number);
            }
        }

        @Override
        public void cancelled(CancelReason reason) {
            executor.assertInside();
            got.add(reason.toString());
        }
    }
}
