package io.leveret.node.runtime;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A loop that notes its timers, which run when the test says so, or by themselves as well. */
public final class HeldTimers implements SerialExecutor {
    /** Those that were set and not cancelled; all that were ever set, if they run by themselves. */
    public final Queue<Timer> held = new ConcurrentLinkedQueue<>();

    private final SerialExecutor loop;
    private final boolean isRunning;

    /** One timer. */
    public record Timer(Runnable task, long nanos) {}

    /** @param isRunning whether they run by themselves, too */
    public HeldTimers(SerialExecutor loop, boolean isRunning) {
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
        Timer timer = new Timer(task, delayNanos);
        held.add(timer);
        return isRunning ? loop.schedule(task, delayNanos) : () -> held.remove(timer);
    }
}
