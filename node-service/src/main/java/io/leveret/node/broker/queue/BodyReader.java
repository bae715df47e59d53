package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads messages back whose bodies have left memory. */
public interface BodyReader {
    /**
     * Reads a batch (at most {@link ReadAhead#MESSAGES_MAX}) without blocking the caller and answers once, on the queue's
     * executor, later than the call. A damaged record is the reader's trouble: it gets the message from another replica.
     */
    void read(List<Request> requests, Completion completion);

    /** One message, and where the journal had it when it was asked for. */
    record Request(MessageId id, long position) {}

    /** The answer to one call. */
    @FunctionalInterface
    interface Completion {
        /**
         * @param messages as many as there were requests, in the same order; null where the journal no longer has the
         *     message at that position, because it moved: it is asked for again at its new one
         */
        void completed(List<@Nullable Message> messages);
    }
}
