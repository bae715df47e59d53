package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.Origin;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a queue. The leader appends events to the {@link QueueLog}; the same encoding ({@link QueueEventCodec})
 * goes to the journal and to every mirror, and is replayed after a crash.
 */
public sealed interface QueueEvent {

    /**
     * A message came in; the event's id is the message's id.
     *
     * @param origin who published it, null when nobody will ask for its duplicate
     * @param floor lowest unanswered number of the origin's channel, when the publish was sent
     * @param isAgain the publish was sent before, perhaps to an earlier leader: it is delivered as redelivered
     * @param priority 0..255
     * @param expiresAtMillis wall-clock deadline by the leader that accepted it, or {@link LiveMessage#NEVER}
     */
    record Published(
            Message message, @Nullable Origin origin, long floor, boolean isAgain, int priority, long expiresAtMillis)
            implements QueueEvent {

        /** A message without deadline and priority. */
        public Published(Message message, @Nullable Origin origin, long floor, boolean isAgain) {
            this(message, origin, floor, isAgain, 0, LiveMessage.NEVER);
        }
    }

    /** Messages left the queue for good. Ids that are not held here are marked known by replication, and else ignored. */
    record Settled(IdRuns ids, Reason why) implements QueueEvent {}

    /** The ready messages were purged; what was out for delivery stays. */
    record Purged(IdRuns ids) implements QueueEvent {}

    /** Why messages were settled. The order is the encoding. */
    enum Reason {
        ACKED,
        /** Rejected by a consumer, with nowhere to go. */
        REJECTED,
        EXPIRED,
        /** Over max-length. */
        OVERFLOW,
        /** Delivered more often than the delivery limit allows. */
        DELIVERY_LIMIT,
        /** A dead-letter target has committed it. */
        DEAD_LETTERED,
        /** Another copy of the same publish is in the queue, or was. */
        DUPLICATE,
        /** Known to be settled by another replica. */
        SETTLED_ELSEWHERE
    }
}
