package io.leveret.node.cluster.remote;

import io.leveret.node.runtime.Cancellable;
import io.leveret.node.runtime.SerialExecutor;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A loop that notes how long its timers wait. */
final class NotedTimers implements SerialExecutor {
    final Queue<Long> timers = new ConcurrentLinkedQueue<>();
    private final SerialExecutor loop;
    private final boolean isRunning;

    /** @param isRunning whether they run, too; those that do not are noted only while nobody cancels them */
    NotedTimers(SerialExecutor loop, boolean isRunning) {
        this.loop = loop;
        this.isRunning = isRunning;
    }

    @Override
    public boolean isInside() {
        return loop.isInside();
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public void atEndOfBatch(Runnable task) {
        loop.atEndOfBatch(task);
    }

    @Override
    public Cancellable schedule(Runnable task, long delayNanos) {
        timers.add(delayNanos);
        return isRunning ? loop.schedule(task, delayNanos) : () -> timers.remove(delayNanos);
    }
}
