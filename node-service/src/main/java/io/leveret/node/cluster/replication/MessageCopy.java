package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.LiveMessage;
import org.jspecify.annotations.Nullable;

/**
 * A message of a queue with all that belongs to it, on its way from one replica to another.
 *
 * @param origin null when nobody will ask for its duplicate
 * @param priority 0..255
 * @param expiresAtMillis wall-clock deadline, or {@link LiveMessage#NEVER}
 */
public record MessageCopy(
        MessageId id,
        Message message,
        @Nullable Origin origin,
        boolean isRedelivered,
        int priority,
        long expiresAtMillis) {

    /** The copy of a message that is in memory. */
    static MessageCopy of(LiveMessage entry, Message message) {
        return new MessageCopy(
                entry.id(),
                message,
                message.origin(),
                entry.isRedelivered(),
                entry.priority(),
                entry.expiresAtMillis());
    }

    /** What the state of a queue keeps of it. */
    LiveMessage entry(boolean isRedeliveredNow) {
        int flags = (message.isPersistent() ? LiveMessage.PERSISTENT : 0)
                | (isRedelivered || isRedeliveredNow ? LiveMessage.REDELIVERED : 0)
                | (origin != null ? LiveMessage.HAS_ORIGIN : 0);
        return new LiveMessage(
                id, LiveMessage.NO_POSITION, message.body().length, flags, priority, expiresAtMillis, message);
    }
}
