package io.leveret.node.cluster.metadata;

import io.leveret.node.broker.definitions.DefinitionsUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.ratis.protocol.RaftClientReply;
import org.jspecify.annotations.Nullable;

/**
 * Up-to-date reads: one barrier at a time serves all that asked before it was sent, so a thousand clients that miss the same
 * queue cost one or two. Steps run on the store's worker; {@link #ask} on any thread. Bound: one request per caller.
 */
final class BarrierReads {
    private static final long RETRY_NANOS = Duration.ofMillis(50).toNanos();
    /** Longer than a write and an fsync take mostly. Each next one waits twice as long. */
    private static final long NUDGE_NANOS = Duration.ofMillis(10).toNanos();

    private final RaftLink raft;
    private final long deadlineNanos;
    private final Runnable wake;
    private final Queue<Waiter> asked = new ConcurrentLinkedQueue<>();
    private List<Waiter> served = new ArrayList<>();
    private @Nullable CompletableFuture<RaftClientReply> underWay;
    private long nextAttempt;
    private long nextNudge;
    private long nudgeNanos;
    private volatile boolean isClosed;

    BarrierReads(RaftLink raft, Duration deadline, Runnable wake) {
        this.raft = raft;
        this.deadlineNanos = deadline.toNanos();
        this.wake = wake;
    }

    private record Waiter(CompletableFuture<@Nullable Void> answer, long deadline) {}

    CompletableFuture<@Nullable Void> ask(long now) {
        Waiter waiter = new Waiter(new CompletableFuture<>(), now + deadlineNanos);
        asked.add(waiter);
        if (isClosed) {
            refuseAsked();
        }
        return waiter.answer;
    }

    /** @return nanoseconds until there may be more to do, or null when nobody waits */
    @Nullable
    Long step(long now) {
        CompletableFuture<RaftClientReply> barrier = underWay;
        if (barrier != null && barrier.isDone()) {
            underWay = null;
            boolean isReached = !barrier.isCompletedExceptionally()
                    && barrier.join() != null
                    && barrier.join().isSuccess();
            if (isReached) {
                List<Waiter> reached = served;
                served = new ArrayList<>();
                reached.forEach(each -> each.answer().complete(null));
            } else {
                nextAttempt = now + RETRY_NANOS;
            }
        }
        if (underWay == null) {
            for (Waiter each = asked.poll(); each != null; each = asked.poll()) {
                served.add(each);
            }
        }
        served.removeIf(each -> hasExpired(each, now));
        if (underWay == null && !served.isEmpty() && nextAttempt - now <= 0) {
            CompletableFuture<RaftClientReply> next = raft.barrier();
            underWay = next;
            nudgeNanos = NUDGE_NANOS;
            nextNudge = now + nudgeNanos;
            next.whenComplete((reply, failure) -> wake.run());
        }
        return served.isEmpty() && asked.isEmpty() ? null : nudged(now);
    }

    /** @return nanoseconds until there may be more to do */
    private long nudged(long now) {
        if (underWay == null) {
            return RETRY_NANOS;
        }
        if (nextNudge - now <= 0) {
            raft.nudge();
            nudgeNanos *= 2;
            nextNudge = now + nudgeNanos;
        }
        return Math.min(RETRY_NANOS, nextNudge - now);
    }

    private static boolean hasExpired(Waiter waiter, long now) {
        if (waiter.deadline() - now > 0) {
            return false;
        }
        waiter.answer()
                .completeExceptionally(
                        new DefinitionsUnavailableException("no majority answered in time; the cluster may be split"));
        return true;
    }

    /** Nobody is served any more. After the last step. */
    void close() {
        isClosed = true;
        served.forEach(BarrierReads::refuse);
        refuseAsked();
    }

    private void refuseAsked() {
        for (Waiter each = asked.poll(); each != null; each = asked.poll()) {
            refuse(each);
        }
    }

    private static void refuse(Waiter waiter) {
        waiter.answer().completeExceptionally(new DefinitionsUnavailableException("this node is stopping"));
    }
}
