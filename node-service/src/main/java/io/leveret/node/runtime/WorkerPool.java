package io.leveret.node.runtime;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A few named threads for work that takes long and must not run on an event loop. Bounded: what is too much is refused. */
public final class WorkerPool implements Executor, AutoCloseable {
    private final ThreadPoolExecutor threads;

    /**
     * @param name of the threads
     * @param waitingMax tasks that may wait; one more is refused with {@link java.util.concurrent.RejectedExecutionException}
     */
    public WorkerPool(String name, int count, int waitingMax) {
        threads = new ThreadPoolExecutor(
                count, count, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(waitingMax), new NamedThreads(name));
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** Takes nothing new and forgets what waits. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
