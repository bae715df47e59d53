package io.leveret.node.runtime;

import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadEventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** One event loop as a serial executor. A task that throws has broken an invariant of ours: the node stops. */
final class LoopExecutor implements SerialExecutor {
    private final EventLoop loop;
    private final FaultHandler faults;
    /** Touched on the loop only; bounded by the number of distinct components that ask once per batch. */
    private final ArrayDeque<Runnable> endOfBatch = new ArrayDeque<>();

    /** What this loop hands over to each other one in this batch; touched on the loop only, bounded by what the batch does. */
    private final Map<SerialExecutor, ArrayList<Runnable>> handedOver = new IdentityHashMap<>();

    private boolean isEndAnnounced;

    LoopExecutor(EventLoop loop, FaultHandler faults) {
        this.loop = loop;
        this.faults = faults;
    }

    @Override
    public boolean isInside() {
        return loop.inEventLoop();
    }

    @Override
    public void execute(Runnable task) {
        try {
            loop.execute(() -> guarded(task));
        } catch (RejectedExecutionException e) {
            rethrowUnlessStopping(e);
        }
    }

    /** Loops of one group stop one after the other; what a running one still asks of a stopped one is moot. */
    private void rethrowUnlessStopping(RejectedExecutionException rejected) {
        if (!loop.isShuttingDown()) {
            throw rejected;
        }
    }

    @Override
    public void atEndOfBatch(Runnable task) {
        assertInside();
        endOfBatch.add(task);
        if (!isEndAnnounced) {
            isEndAnnounced = true;
            ((SingleThreadEventLoop) loop).executeAfterEventLoopIteration(this::endBatch);
        }
    }

    @Override
    public void handOver(SerialExecutor to, Runnable task) {
        assertInside();
        ArrayList<Runnable> tasks = handedOver.computeIfAbsent(to, key -> new ArrayList<>());
        if (tasks.isEmpty()) {
            atEndOfBatch(() -> send(to));
        }
        tasks.add(task);
    }

    private void send(SerialExecutor to) {
        ArrayList<Runnable> tasks = handedOver.put(to, new ArrayList<>());
        if (tasks != null) {
            to.execute(() -> tasks.forEach(LoopExecutor.this::guarded));
        }
    }

    private void endBatch() {
        isEndAnnounced = false;
        // A task added meanwhile belongs to this batch too: it is what the earlier ones set off.
        for (Runnable task = endOfBatch.poll(); task != null; task = endOfBatch.poll()) {
            guarded(task);
        }
    }

    @Override
    public Cancellable schedule(Runnable task, long delayNanos) {
        try {
            ScheduledFuture<?> future = loop.schedule(() -> guarded(task), delayNanos, TimeUnit.NANOSECONDS);
            return () -> future.cancel(false);
        } catch (RejectedExecutionException e) {
            rethrowUnlessStopping(e);
            return () -> {};
        }
    }

    @SuppressWarnings("IllegalCatch") // an executor edge: the last place where a broken invariant can be seen
    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            faults.fatal("a task on an event loop failed", e);
        }
    }
}
