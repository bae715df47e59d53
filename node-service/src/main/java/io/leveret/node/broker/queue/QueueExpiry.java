package io.leveret.node.broker.queue;

import io.leveret.node.runtime.Cancellable;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.SerialExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells when a queue was unused for as long as it may be (x-expires): no consumer, no get, nobody who declared it again. The
 * time is the leader's own, and a new leader starts it anew: who leads now cannot know when the queue was used last.
 *
 * <p>A use costs a look at the clock; the one timer finds out, when it fires, how much time is left.
 */
final class QueueExpiry {
    /** What was told and did not end the queue, as metadata has no majority, is told again. */
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long NANOS_MAX = Long.MAX_VALUE / 4;

    private final SerialExecutor executor;
    private final NodeClock clock;
    private final BooleanSupplier isUnused;
    private final Runnable expired;
    private long expiresMillis = QueueSettings.UNLIMITED;
    private long usedAtNanos;
    private boolean isStopped = true;
    private @Nullable Cancellable timer;

    QueueExpiry(SerialExecutor executor, NodeClock clock, BooleanSupplier isUnused, Runnable expired) {
        this.executor = executor;
        this.clock = clock;
        this.isUnused = isUnused;
        this.expired = expired;
    }

    /** The time begins anew, also after {@link #stop}. */
    void start() {
        isStopped = false;
        used();
    }

    /** A change of the time lets it begin anew. */
    void configure(long newMillis) {
        if (newMillis != expiresMillis) {
            expiresMillis = newMillis;
            cancel();
            used();
        }
    }

    /** Somebody uses the queue, or did so until now. */
    void used() {
        if (expiresMillis != QueueSettings.UNLIMITED && !isStopped) {
            usedAtNanos = clock.nanoTime();
            if (timer == null) {
                schedule(expiresNanos());
            }
        }
    }

    private long expiresNanos() {
        return expiresMillis > NANOS_MAX / 1_000_000 ? NANOS_MAX : expiresMillis * 1_000_000;
    }

    private void schedule(long delayNanos) {
        timer = executor.schedule(this::look, delayNanos);
    }

    private void look() {
        timer = null;
        if (!isUnused.getAsBoolean()) {
            return;
        }
        long left = usedAtNanos + expiresNanos() - clock.nanoTime();
        if (left > 0) {
            schedule(left);
        } else {
            schedule(AGAIN_NANOS);
            expired.run();
        }
    }

    /** Nothing expires until {@link #start}. */
    void stop() {
        isStopped = true;
        cancel();
    }

    private void cancel() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
