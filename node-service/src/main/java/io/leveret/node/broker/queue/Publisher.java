package io.leveret.node.broker.queue;

import io.leveret.node.runtime.SerialExecutor;
import org.jspecify.annotations.Nullable;

/** A channel in its role of publishing. Its methods are called on its executor. */
public interface Publisher {
    /** A number for this channel that is never used twice while the node runs. */
    long channelSerial();

    SerialExecutor executor();

    /**
     * Whose dead letters it publishes; null for a channel. The messages of such a publisher are named by their source before
     * they are published, and wait for their queue however long it has no leader.
     */
    default @Nullable LetterSource letterSource() {
        return null;
    }

    /**
     * The answer of one queue to one publish; exactly one for each call of {@link QueueHandle#publish}.
     *
     * @param number what was given to publish
     * @param isConfirmed true when the queue holds the message as a confirm promises, or was deleted; false when it refused
     *     the message or could not promise within the publish deadline
     */
    void answered(long number, boolean isConfirmed);
}
