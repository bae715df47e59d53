package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import org.jspecify.annotations.Nullable;

/** Where messages go that leave a queue with a dead-letter exchange. Called on the queue's executor. */
public interface DeadLetterSink {
    /** For queues without dead-letter exchange: nobody calls it. */
    DeadLetterSink NONE = (id, message, why, committed) -> {
        throw new IllegalStateException("a dead letter of a queue without dead-letter exchange");
    };

    /**
     * Publishes a message to the dead-letter exchange. Target before source: the message stays in its queue, out of reach,
     * until {@code committed} has run; so a crash in between repeats the publish, and the target knows it by the id.
     *
     * @param id of the message in its queue; null for a publish that was rejected and never was in it
     * @param committed to be run on the queue's executor, now or later, once, when all targets have committed, or there is
     *     none
     */
    void deadLetter(@Nullable MessageId id, Message message, QueueEvent.Reason why, Runnable committed);

    /**
     * What was given to {@link #deadLetter} has left its queue, which is committed: targets need not know it any longer.
     *
     * @param floor every message before it has left the queue, too
     */
    default void settled(IdRuns letters, MessageId floor) {}

    /** The leadership ends: nothing more is sent, and nothing committed. */
    default void close() {}
}
