package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import org.jspecify.annotations.Nullable;

/**
 * One message of a queue, taken out of {@link LiveMessages} or about to be put in: all that is needed to put it back.
 *
 * @param position where the journal holds it (above 0), or {@link #NO_POSITION}
 * @param bodyBytes length of the body
 * @param flags {@link #PERSISTENT} | {@link #REDELIVERED} | {@link #HAS_ORIGIN}; other bits belong to the leader
 * @param priority 0..255
 * @param expiresAtMillis wall-clock deadline, or {@link #NEVER}
 * @param message null while only the journal has it
 */
public record LiveMessage(
        MessageId id,
        long position,
        int bodyBytes,
        int flags,
        int priority,
        long expiresAtMillis,
        @Nullable Message message) {

    /** Not in the journal yet: the body must stay in memory. */
    public static final long NO_POSITION = 0;
    /** No deadline. */
    public static final long NEVER = Long.MAX_VALUE;

    /** The message was published with delivery-mode 2. */
    public static final int PERSISTENT = 1;
    /** The next delivery says redelivered. */
    public static final int REDELIVERED = 1 << 1;
    /** The Published event named an origin. */
    public static final int HAS_ORIGIN = 1 << 2;
    /** With a consumer: not ready. Kept by the leader, void when the leadership ends. */
    static final int OUT = 1 << 3;
    /** Read back for delivery: the body leaves memory again when it is delivered. */
    static final int READ_BACK = 1 << 4;
    /** The slot's message was removed. */
    static final int GONE = 1 << 5;
    /** What a message keeps outside the leader. */
    static final int KEPT = PERSISTENT | REDELIVERED | HAS_ORIGIN;

    /** What a Published event makes of its message. */
    public static LiveMessage of(MessageId id, QueueEvent.Published event) {
        Message message = event.message();
        int flags = (message.isPersistent() ? PERSISTENT : 0)
                | (event.isAgain() ? REDELIVERED : 0)
                | (event.origin() != null ? HAS_ORIGIN : 0);
        return new LiveMessage(
                id, NO_POSITION, message.body().length, flags, event.priority(), event.expiresAtMillis(), message);
    }

    public boolean isPersistent() {
        return (flags & PERSISTENT) != 0;
    }

    public boolean isRedelivered() {
        return (flags & REDELIVERED) != 0;
    }

    public boolean hasOrigin() {
        return (flags & HAS_ORIGIN) != 0;
    }

    /** The same message, held elsewhere in the journal. */
    public LiveMessage at(long newPosition) {
        return new LiveMessage(id, newPosition, bodyBytes, flags, priority, expiresAtMillis, message);
    }

    /** The same message, which only the journal has, there. */
    public LiveMessage detachedAt(long newPosition) {
        return new LiveMessage(id, newPosition, bodyBytes, flags, priority, expiresAtMillis, null);
    }

    /** The same message, to be delivered as redelivered. */
    public LiveMessage redelivered() {
        return new LiveMessage(id, position, bodyBytes, flags | REDELIVERED, priority, expiresAtMillis, message);
    }
}
