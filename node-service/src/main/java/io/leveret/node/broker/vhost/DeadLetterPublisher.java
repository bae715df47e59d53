package io.leveret.node.broker.vhost;

import io.leveret.model.QueueName;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.definitions.DefinitionsImage;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.DeadLetterSink;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LetterSource;
import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.broker.queue.QueueEvent;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.runtime.SerialExecutor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One queue's dead letters, under way until every target has answered (PROTOCOL.md §9).
 *
 * <pre>
 * letter ──routed──► flying ──all confirm──► committed ──left for good──► the targets are told
 *   │                  │ one refuses
 *   └─ no queue ───────┴──► at most once: dropped, as committed · at least once: held, and tried again
 * </pre>
 *
 * Which exchange it is, is looked up for each try, as policies may change it. A letter is named by its source queue and its id
 * there, so that a target knows it again, also when another leader of the source sends it. Where a target has no leader the
 * letter waits for one, whatever the strategy.
 *
 * <p>Bounds: what the queue lets fly at a time. Owned by the queue's executor.
 */
final class DeadLetterPublisher implements DeadLetterSink, Publisher {
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterPublisher.class);
    /** A target that refuses is tried again after this time, and after twice the time before, up to the longest. */
    private static final long RETRY_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long RETRY_NANOS_MAX = TimeUnit.SECONDS.toNanos(16);
    /** Targets keep a name for each letter until they are told: that much later than they could. */
    private static final long TELL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int TELL_LETTERS = 256;
    /** Targets before those that are gone are forgotten. */
    private static final int USED_SWEPT_AT = 1024;

    private final DeadLetterRouter router;
    private final QueueName queue;
    private final LetterSource source;
    private final SerialExecutor executor;
    private final long serial;
    /** By number of the publish. */
    private final Map<Long, Letter> flying = new HashMap<>();
    /** Who has got letters that have not left for good. */
    private final Map<MessageId, List<QueueHandle>> receivers = new HashMap<>();
    /** What is to be told to whom. */
    private final Map<QueueHandle, IdRuns.Builder> untold = new LinkedHashMap<>();

    private final Set<QueueHandle> used = new HashSet<>();
    /** Letters without a queue, while it is asked whether this node knows all. Bounded as those that fly are. */
    private final List<Letter> unsure = new ArrayList<>();

    private boolean isAsking;
    private @Nullable DefinitionsImage seen;
    private @Nullable DeadLetterTarget target;
    private MessageId floor = MessageId.ZERO;
    private int untoldCount;
    private boolean isTellPlanned;
    private boolean isClosed;
    private boolean isAsked;
    private long lastNumber;

    DeadLetterPublisher(
            DeadLetterRouter router, QueueName queue, LetterSource source, SerialExecutor executor, long serial) {
        this.router = router;
        this.queue = queue;
        this.source = source;
        this.executor = executor;
        this.serial = serial;
    }

    @Override
    public long channelSerial() {
        return serial;
    }

    @Override
    public SerialExecutor executor() {
        return executor;
    }

    @Override
    public LetterSource letterSource() {
        return source;
    }

    @Override
    public void deadLetter(@Nullable MessageId id, Message message, QueueEvent.Reason why, Runnable committed) {
        isAsked = true;
        send(new Letter(id, message, why, committed));
        isAsked = false;
    }

    /** Whoever dead-letters is in the middle of something: what is done at once is told later. */
    private void done(Letter letter) {
        if (isAsked) {
            executor.execute(letter.committed);
        } else {
            letter.committed.run();
        }
    }

    private void send(Letter letter) {
        DeadLetterTarget to = target();
        VirtualHost vhost = router.vhosts().find(queue.vhost());
        if (to == null || vhost == null) {
            done(letter);
            return;
        }
        DeathHeaders.Dead dead = DeathHeaders.dead(
                letter.message, queue, letter.why, to, router.clock().currentTimeMillis());
        Routed route = route(vhost, dead.message());
        List<QueueHandle> queues = withoutCircles(dead, letter.why, route.queues());
        if (!queues.isEmpty()) {
            publish(letter, route.message(), queues);
        } else if (route.queues().isEmpty() && !letter.isSure) {
            unsure.add(letter);
            if (!isAsking) {
                ask(vhost);
            }
        } else if (to.isAtLeastOnce() && letter.id != null && route.queues().isEmpty()) {
            hold(letter);
        } else {
            done(letter);
        }
    }

    /**
     * Another node may have declared exchange, queue or binding just now: that is asked once before a letter goes nowhere.
     * One question is for all letters that waited for it.
     */
    private void ask(VirtualHost vhost) {
        isAsking = true;
        List<Letter> asked = List.copyOf(unsure);
        unsure.clear();
        vhost.upToDate()
                .whenComplete((nothing, failure) -> executor.execute(() -> {
                    isAsking = false;
                    if (isClosed) {
                        return;
                    }
                    for (Letter each : asked) {
                        each.isSure = true;
                        send(each);
                    }
                    if (!unsure.isEmpty() && !isAsking) {
                        ask(vhost);
                    }
                }));
    }

    private Routed route(VirtualHost vhost, Message dead) {
        try {
            return vhost.routeInside(dead);
        } catch (BrokerException e) {
            LOG.debug("a dead letter of {} has no exchange: {}", queue, e.getMessage());
            return new Routed(dead, List.of());
        }
    }

    private List<QueueHandle> withoutCircles(DeathHeaders.Dead dead, QueueEvent.Reason why, List<QueueHandle> queues) {
        List<String> circles = DeathHeaders.circles(
                dead, why, queues.stream().map(each -> each.name().value()).toList());
        return circles.isEmpty()
                ? queues
                : queues.stream()
                        .filter(each -> !circles.contains(each.name().value()))
                        .toList();
    }

    private void publish(Letter letter, Message dead, List<QueueHandle> queues) {
        long number = ++lastNumber;
        letter.unanswered = queues.size();
        letter.isRefused = false;
        flying.put(number, letter);
        used.addAll(queues);
        Message named = dead;
        if (letter.id != null) {
            receivers.put(letter.id, queues);
            named = dead.withOrigin(Origin.ofLetter(source.incarnation(), letter.id));
        }
        boolean isAgain = letter.wasSent;
        letter.wasSent = true;
        for (QueueHandle each : queues) {
            if (isAgain) {
                each.publishAgain(this, number, named);
            } else {
                each.publish(this, number, named);
            }
        }
    }

    @Override
    public void answered(long number, boolean isConfirmed) {
        Letter letter = flying.get(number);
        if (letter == null || isClosed) {
            return;
        }
        letter.isRefused |= !isConfirmed;
        if (--letter.unanswered > 0) {
            return;
        }
        flying.remove(number);
        DeadLetterTarget to = target();
        if (letter.isRefused && letter.id != null && to != null && to.isAtLeastOnce()) {
            hold(letter);
        } else {
            done(letter);
        }
    }

    private void hold(Letter letter) {
        long delay = Math.min(RETRY_NANOS_MAX, RETRY_NANOS_MIN << Math.min(letter.tries, 16));
        if (letter.tries++ == 0) {
            LOG.info("a dead letter of {} finds no queue that takes it, and is tried again", queue);
        }
        executor.schedule(
                () -> {
                    if (!isClosed) {
                        send(letter);
                    }
                },
                delay);
    }

    private @Nullable DeadLetterTarget target() {
        DefinitionsImage image = router.definitions().image();
        if (!isSeen(image)) {
            QueueDefinition definition = image.queue(queue);
            target = definition == null
                    ? null
                    : DeadLetterTarget.of(definition, router.policies().forQueue(image, definition));
            seen = image;
            if (used.size() > USED_SWEPT_AT) {
                used.removeIf(each -> image.queue(each.name()) == null);
            }
        }
        return target;
    }

    @SuppressWarnings("ReferenceEquality") // the image is another object whenever anything in it is
    private boolean isSeen(DefinitionsImage image) {
        return seen == image;
    }

    // Letters that have left for good.

    @Override
    public void settled(IdRuns letters, MessageId lowest) {
        floor = lowest;
        for (int run = 0; run < letters.count(); run++) {
            for (long index = letters.first(run); index <= letters.last(run); index++) {
                settled(new MessageId(letters.epoch(run), index));
            }
        }
        if (untoldCount >= TELL_LETTERS) {
            tell();
        } else if (untoldCount > 0 && !isTellPlanned) {
            isTellPlanned = true;
            executor.schedule(
                    () -> {
                        isTellPlanned = false;
                        tell();
                    },
                    TELL_NANOS);
        }
    }

    private void settled(MessageId letter) {
        List<QueueHandle> queues = receivers.remove(letter);
        if (queues != null) {
            for (QueueHandle each : queues) {
                untold.computeIfAbsent(each, none -> new IdRuns.Builder()).add(letter.epoch(), letter.index());
                untoldCount++;
            }
        }
    }

    private void tell() {
        if (!isClosed) {
            untold.forEach((handle, letters) -> handle.lettersSettled(this, floor, letters.build()));
        }
        untold.clear();
        untoldCount = 0;
    }

    @Override
    public void close() {
        isClosed = true;
        flying.clear();
        receivers.clear();
        untold.clear();
        used.forEach(each -> each.publisherClosed(this));
        used.clear();
    }

    /** A dead letter that is not committed. */
    private static final class Letter {
        private final @Nullable MessageId id;
        private final Message message;
        private final QueueEvent.Reason why;
        private final Runnable committed;
        private int unanswered;
        private int tries;
        private boolean isRefused;
        private boolean wasSent;
        private boolean isSure;

        Letter(@Nullable MessageId id, Message message, QueueEvent.Reason why, Runnable committed) {
            this.id = id;
            this.message = message;
            this.why = why;
            this.committed = committed;
        }
    }
}
