package io.leveret.node.broker.vhost;

import io.leveret.node.runtime.Cancellable;
import io.leveret.node.runtime.SerialExecutor;
import java.util.List;

/** Runs everything at once, and keeps what is scheduled until the test runs it. */
record ManualExecutor(List<Runnable> scheduled) implements SerialExecutor {
    @Override
    public boolean isInside() {
        return true;
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public void atEndOfBatch(Runnable task) {
        task.run();
    }

    @Override
    public Cancellable schedule(Runnable task, long delayNanos) {
        scheduled.add(task);
        return () -> scheduled.remove(task);
    }
}
