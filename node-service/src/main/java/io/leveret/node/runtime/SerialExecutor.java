package io.leveret.node.runtime;

import java.util.concurrent.Executor;

/**
 * Runs tasks one after the other, in the order they were given, each seeing what the earlier ones did. The owner of mutable
 * state is such an executor; nobody else touches that state. In production it is an event loop, so no task may block.
 */
public interface SerialExecutor extends Executor {
    /** True on the thread that is running a task of this executor. */
    boolean isInside();

    /** Runs the task now when called inside, else hands it over. */
    default void run(Runnable task) {
        if (isInside()) {
            task.run();
        } else {
            execute(task);
        }
    }

    /**
     * Runs the task once, when the work at hand (one read from a socket, one batch of a mailbox) is finished, and before the
     * executor waits for more. Called inside. It is how flushes, confirms and acknowledgements are batched without a timer.
     */
    void atEndOfBatch(Runnable task);

    /**
     * Runs the task on another executor, together with all that this executor hands over to it in the batch at hand: one
     * wake-up for many tasks. Called inside. Tasks handed over from here to there keep their order among themselves.
     */
    default void handOver(SerialExecutor to, Runnable task) {
        to.execute(task);
    }

    /** Runs the task on this executor after a delay. */
    Cancellable schedule(Runnable task, long delayNanos);

    /** @throws IllegalStateException when called from another thread: a broken invariant of ours */
    default void assertInside() {
        if (!isInside()) {
            throw new IllegalStateException("called outside the owner of this state");
        }
    }
}
