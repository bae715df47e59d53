package io.leveret.node.runtime;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/**
 * A serial executor that runs when the test says so, with a clock that moves when the test says so. Several of them on one
 * thread stand for several loops: each is inside only while it runs a task of its own.
 */
public final class ManualExecutor implements SerialExecutor, NodeClock {
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final ArrayDeque<Runnable> endOfBatch = new ArrayDeque<>();
    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparingLong((Timer t) -> t.atNanos).thenComparingLong(t -> t.order));
    private long nowNanos;
    private long nextOrder;
    private int depth;

    private static final class Timer {
        final long atNanos;
        final long order;
        final Runnable task;
        boolean isCancelled;

        Timer(long atNanos, long order, Runnable task) {
            this.atNanos = atNanos;
            this.order = order;
            this.task = task;
        }
    }

    @Override
    public boolean isInside() {
        return depth > 0;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public void atEndOfBatch(Runnable task) {
        assertInside();
        endOfBatch.add(task);
    }

    @Override
    public Cancellable schedule(Runnable task, long delayNanos) {
        Timer timer = new Timer(nowNanos + Math.max(0, delayNanos), nextOrder++, task);
        timers.add(timer);
        return () -> timer.isCancelled = true;
    }

    /** Runs the task as this executor would, with the end of its batch. What it hands over stays for {@link #runAll}. */
    public void inside(Runnable task) {
        depth++;
        try {
            task.run();
            if (depth == 1) {
                for (Runnable end = endOfBatch.poll(); end != null; end = endOfBatch.poll()) {
                    end.run();
                }
            }
        } finally {
            depth--;
        }
    }

    /** Runs one task that was handed over. @return false when there is none */
    public boolean runNext() {
        Runnable task = tasks.poll();
        if (task == null) {
            return false;
        }
        inside(task);
        return true;
    }

    /** Runs all that was handed over, as one batch, and whatever that hands over in turn. Timers wait for their time. */
    public void runAll() {
        while (!tasks.isEmpty()) {
            inside(() -> {
                for (int left = tasks.size(); left > 0; left--) {
                    tasks.remove().run();
                }
            });
        }
    }

    /** Tasks that wait to be run. */
    public int waiting() {
        return tasks.size();
    }

    /** Lets time pass; timers run at their moments, and after each of them all that it hands over. */
    public void advanceNanos(long nanos) {
        long end = nowNanos + nanos;
        runAll();
        while (!timers.isEmpty() && timers.peek().atNanos <= end) {
            Timer timer = timers.remove();
            nowNanos = Math.max(nowNanos, timer.atNanos);
            if (!timer.isCancelled) {
                inside(timer.task);
                runAll();
            }
        }
        nowNanos = end;
    }

    public void advanceMillis(long millis) {
        advanceNanos(millis * 1_000_000);
    }

    /** Runs the executors in turn until none has anything left to run. */
    public static void settle(ManualExecutor... executors) {
        boolean isBusy = true;
        while (isBusy) {
            isBusy = false;
            for (ManualExecutor each : executors) {
                if (each.waiting() > 0) {
                    each.runAll();
                    isBusy = true;
                }
            }
        }
    }

    /** Lets time pass in steps until the condition holds. @return whether it did within the time */
    public boolean advanceUntil(BooleanSupplier condition, long millisMax) {
        for (long passed = 0; passed < millisMax && !condition.getAsBoolean(); passed++) {
            advanceMillis(1);
        }
        return condition.getAsBoolean();
    }

    @Override
    public long nanoTime() {
        return nowNanos;
    }

    @Override
    public long currentTimeMillis() {
        return 1_700_000_000_000L + nowNanos / 1_000_000;
    }
}
