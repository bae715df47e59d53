package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.message.Property;
import io.leveret.node.runtime.Cancellable;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.SerialExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Messages that leave a queue without being acked: expired, over the length limit, rejected. With a dead-letter exchange they
 * go there first. Only the first message of a queue expires, so one timer is enough; only the leader decides, and a mirror
 * learns of it by Settled.
 *
 * <p>A message whose time is zero may still be delivered in the turn after its publish: one that was not in the queue at the
 * end of the turn before does not expire until deliveries were tried.
 */
final class Departures {
    /** Expired or dropped in one turn: bounded as deliveries are. */
    private static final int TURN_MAX = 1024;

    private final SerialExecutor executor;
    private final NodeClock clock;
    private final ReadySet ready;
    private final SettleBatch settled;
    private final DeadLetters deadLetters;
    private final Runnable planTurn;
    /** The last message at the end of the turn before. */
    private final MessageCursor seen = new MessageCursor();

    private QueueSettings settings;
    private @Nullable Cancellable timer;
    private long timerAtMillis;

    Departures(
            SerialExecutor executor,
            NodeClock clock,
            ReadySet ready,
            SettleBatch settled,
            DeadLetters deadLetters,
            QueueSettings settings,
            Runnable planTurn) {
        this.executor = executor;
        this.clock = clock;
        this.ready = ready;
        this.settled = settled;
        this.deadLetters = deadLetters;
        this.settings = settings;
        this.planTurn = planTurn;
    }

    void configure(QueueSettings newSettings) {
        settings = newSettings;
    }

    /** When a message that is published now expires: by its own expiration or the queue's, whichever is sooner. */
    long deadline(Message message) {
        long ttl = settings.messageTtlMillis();
        if (hasProperty(message, Property.EXPIRATION)) {
            String text = MessageProperties.of(message).expiration();
            if (text != null) {
                ttl = Math.min(ttl, millis(text));
            }
        }
        long deadline = clock.currentTimeMillis() + ttl;
        return deadline < ttl ? LiveMessage.NEVER : deadline; // a policy may have any number
    }

    /** The channel has refused all that is not a small number; what another way let in never expires by it. */
    private static long millis(String text) {
        if (text.isEmpty() || text.length() > 12) {
            return QueueSettings.UNLIMITED;
        }
        long millis = 0;
        for (int i = 0; i < text.length(); i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return QueueSettings.UNLIMITED;
            }
            millis = 10 * millis + digit - '0';
        }
        return millis;
    }

    int priority(Message message) {
        if (settings.priorityMax() == 0 || !hasProperty(message, Property.PRIORITY)) {
            return 0;
        }
        return Math.max(
                0,
                Math.min(settings.priorityMax(), MessageProperties.of(message).priority()));
    }

    /** Most messages have neither: a look at the flags saves the reading of the properties. */
    private static boolean hasProperty(Message message, Property property) {
        byte[] header = message.header();
        int flags = header.length < 2 ? 0 : ((header[0] & 0xff) << 8) | (header[1] & 0xff);
        return (flags & (1 << (15 - property.ordinal()))) != 0;
    }

    /** The message, which is out, leaves. */
    void leave(long epoch, long index, QueueEvent.Reason why) {
        if (settings.isDeadLettering()) {
            deadLetters.add(epoch, index, why);
        } else {
            settled.add(epoch, index, why);
        }
    }

    /**
     * Lets expired messages at the head leave.
     *
     * @param isBeforeDelivery then only those that were there in the turn before
     * @return whether there may be more than a turn may do
     */
    boolean expire(boolean isBeforeDelivery) {
        int left = TURN_MAX;
        while (left > 0
                && !deadLetters.isFull()
                && ready.hasFirst()
                && ready.deadline() != LiveMessage.NEVER
                && ready.deadline() <= clock.currentTimeMillis()
                && !(isBeforeDelivery && seen.isBefore(ready.first()))) {
            takeFirst(QueueEvent.Reason.EXPIRED);
            left--;
        }
        return left == 0;
    }

    /** Whether the first message has expired and could not leave yet: it is not to be delivered any more. */
    boolean isHeadExpired() {
        return ready.deadline() != LiveMessage.NEVER
                && ready.deadline() <= clock.currentTimeMillis()
                && !seen.isBefore(ready.first());
    }

    /** Drops from the head what is over the length limit. @return whether there may be more than a turn may do */
    boolean dropHead() {
        int left = TURN_MAX;
        while (left > 0
                && settings.overflow() == QueueSettings.Overflow.DROP_HEAD
                && !settings.allows(ready.count(), ready.bytes())
                && !deadLetters.isFull()
                && ready.hasFirst()) {
            takeFirst(QueueEvent.Reason.OVERFLOW);
            left--;
        }
        return left == 0;
    }

    private void takeFirst(QueueEvent.Reason why) {
        long epoch = ready.first().epoch;
        long index = ready.first().index;
        ready.takeFirst();
        leave(epoch, index, why);
    }

    /** The turn ends; the last message published so far is this. */
    void endTurn(long lastEpoch, long lastIndex) {
        seen.moveTo(lastEpoch, lastIndex);
        deadLetters.send();
        if (ready.hasFirst() && ready.deadline() != LiveMessage.NEVER) {
            schedule(ready.deadline());
        }
    }

    private void schedule(long atMillis) {
        if (timer != null && timerAtMillis <= atMillis) {
            return;
        }
        stop();
        timerAtMillis = atMillis;
        long delay = Math.max(1, atMillis - clock.currentTimeMillis());
        timer = executor.schedule(
                () -> {
                    timer = null;
                    planTurn.run();
                },
                Math.min(delay, Long.MAX_VALUE / 2_000_000) * 1_000_000);
    }

    /** The leadership ends. */
    void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
