package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.MessageId;
import java.util.Arrays;

/**
 * What was settled in the batch at hand, so that it becomes one event per reason. Bounded: at {@link #RUNS_MAX} runs it is
 * appended early.
 */
final class SettleBatch {
    private static final int RUNS_MAX = 4096;
    private static final QueueEvent.Reason[] REASONS = QueueEvent.Reason.values();

    private final QueueLog log;
    private final IdRuns.Builder[] byReason = new IdRuns.Builder[REASONS.length];
    private MessageId last = MessageId.ZERO;

    SettleBatch(QueueLog log) {
        this.log = log;
        Arrays.setAll(byReason, reason -> new IdRuns.Builder());
    }

    void add(long epoch, long index, QueueEvent.Reason why) {
        IdRuns.Builder runs = byReason[why.ordinal()];
        runs.add(epoch, index);
        if (runs.count() >= RUNS_MAX) {
            append(why);
        }
    }

    /** Appends what there is. */
    void flush() {
        for (QueueEvent.Reason why : REASONS) {
            if (!byReason[why.ordinal()].isEmpty()) {
                append(why);
            }
        }
    }

    private void append(QueueEvent.Reason why) {
        last = log.append(new QueueEvent.Settled(byReason[why.ordinal()].build(), why));
    }

    /** The last event appended here: everything settled before it is in the log. */
    MessageId last() {
        return last;
    }
}
