package io.leveret.node.runtime;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * One thread with a doorbell: it does a step of work, waits as long as the step says or until somebody rings, and does the
 * next. Whatever arrives during a step is found by the next one, so bursts form batches without a timer. Ringing a busy
 * worker costs one atomic write; only a waiting one is woken.
 */
public final class Worker implements AutoCloseable {
    /** For a step's answer: wait until somebody rings. */
    public static final long UNTIL_RUNG = Long.MAX_VALUE;

    private static final int BUSY = 0;
    private static final int RUNG = 1;
    private static final int WAITING = 2;

    /** One step of work, on the worker's thread. */
    @FunctionalInterface
    public interface Step {
        /** Does some work and returns for how many nanoseconds to wait at most before the next step; 0 for none. */
        long run();
    }

    private final AtomicInteger state = new AtomicInteger(BUSY);
    private final Step step;
    private final FaultHandler faults;
    private final Thread thread;
    private volatile boolean isClosed;

    private Worker(String name, Step step, FaultHandler faults) {
        this.step = step;
        this.faults = faults;
        this.thread = NamedThreads.named("leveret-" + name, this::work);
    }

    /** Starts a worker whose first step runs at once. */
    public static Worker start(String name, Step step, FaultHandler faults) {
        Worker worker = new Worker(name, step, faults);
        worker.thread.start();
        return worker;
    }

    /** Makes a step run soon. Any thread. */
    public void ring() {
        if (state.get() != RUNG && state.getAndSet(RUNG) == WAITING) {
            LockSupport.unpark(thread);
        }
    }

    /** Lets the running step end, runs no other, and waits for the thread. */
    @Override
    public void close() {
        isClosed = true;
        ring();
        boolean wasInterrupted = false;
        while (thread.isAlive() && Thread.currentThread() != thread) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("IllegalCatch") // an executor edge: the last place where a broken invariant can be seen
    private void work() {
        try {
            while (!isClosed) {
                state.set(BUSY);
                await(step.run());
            }
        } catch (RuntimeException | Error e) {
            faults.fatal("a step of " + thread.getName() + " failed", e);
        }
    }

    private void await(long nanosMax) {
        if (nanosMax <= 0 || !state.compareAndSet(BUSY, WAITING)) {
            return;
        }
        long end = System.nanoTime() + nanosMax;
        while (state.get() == WAITING && !isClosed) {
            if (nanosMax == UNTIL_RUNG) {
                LockSupport.park(this);
            } else {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return;
                }
                LockSupport.parkNanos(this, left);
            }
        }
    }
}
