package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import org.jspecify.annotations.Nullable;

/**
 * A change of leader, for logs, counters and events.
 *
 * @param from who led before, or null
 * @param to who leads now, or null
 */
public record Promotion(
        QueueName queue,
        long incarnation,
        Kind kind,
        @Nullable NodeName from,
        @Nullable NodeName to,
        long epoch) {
    /** How the new leader was found (PROTOCOL.md §2). */
    public enum Kind {
        /** An intact member of the in-sync set leads: nothing is lost. */
        CLEAN,
        /** A replica whose disk holds everything leads: what lived in memory only may be lost. */
        RECOVERED,
        /** The least behind leads, as the policy allows: messages may be lost. */
        UNCLEAN,
        /** An operator asked for what the policy does not allow. */
        FORCED,
        /** A planned change. */
        MOVED,
        /** Nobody may lead. */
        NONE
    }
}
