package io.leveret.node.cluster.metadata;

import io.leveret.model.NodeName;
import io.leveret.node.broker.definitions.DefinitionsUnavailableException;
import io.leveret.node.broker.definitions.Outcome;
import io.leveret.node.cluster.metadata.ClusterImage.ClientResults;
import io.leveret.node.cluster.metadata.CommandCodec.Proposal;
import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeerId;
import org.jspecify.annotations.Nullable;

/**
 * Brings proposals to the Raft leader until this node sees them applied:
 *
 * <pre>
 * waiting --(few enough under way)--> under way --(applied here)--> answered
 *                                         |  ^--(refused, lost, no leader: again after a pause)
 *                                         '--(deadline)--> failed, outcome unknown
 * </pre>
 *
 * Sending it again is harmless: the image knows it by its number. Steps run on the store's worker; {@link #propose} and
 * {@link #applied} on any thread.
 */
final class RaftProposer {
    /** Under way at a time; less than the results that the image remembers per client. */
    static final int UNDER_WAY_MAX = 1024;

    /** Waiting at a time; a whole definition file fits. Beyond, the proposer is told at once. */
    static final int WAITING_MAX = 100_000;

    private static final long RETRY_NANOS = Duration.ofMillis(50).toNanos();
    /** A request whose answer was lost is sent again after this. */
    private static final long ATTEMPT_NANOS = Duration.ofSeconds(4).toNanos();

    private final NodeName node;
    private final NodeIdentity identity;
    private final RaftLink raft;
    private final long deadlineNanos;
    private final Runnable catchUp;
    private final Queue<Pending> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final ConcurrentSkipListMap<Long, Pending> underWay = new ConcurrentSkipListMap<>();
    private long lastNumber;
    private volatile boolean isClosed;

    /** @param catchUp makes this node hear at once what is agreed, instead of with the Raft leader's next heartbeat */
    RaftProposer(NodeName node, NodeIdentity identity, RaftLink raft, Duration deadline, Runnable catchUp) {
        this.node = node;
        this.identity = identity;
        this.raft = raft;
        this.deadlineNanos = deadline.toNanos();
        this.catchUp = catchUp;
    }

    /** A proposal on its way. Fields without a comment belong to the worker. */
    private static final class Pending {
        final ClusterCommand command;
        final CompletableFuture<Outcome> answer = new CompletableFuture<>();
        final long deadline;
        byte @Nullable [] bytes;
        /** Written by whoever receives the reply of an attempt. */
        volatile long nextAttempt;

        Pending(ClusterCommand command, long deadline) {
            this.command = command;
            this.deadline = deadline;
        }
    }

    CompletableFuture<Outcome> propose(ClusterCommand command, long now) {
        Pending pending = new Pending(command, now + deadlineNanos);
        if (waitingCount.incrementAndGet() > WAITING_MAX) {
            waitingCount.decrementAndGet();
            pending.answer.completeExceptionally(
                    new DefinitionsUnavailableException("too many changes wait for the cluster's agreement"));
        } else {
            waiting.add(pending);
            if (isClosed) {
                refuseWaiting();
            }
        }
        return pending.answer;
    }

    /** Sends what may be sent. @return nanoseconds until there may be more to do, or null when nothing is under way */
    @Nullable
    Long step(long now) {
        while (underWay.size() < UNDER_WAY_MAX) {
            Pending next = waiting.poll();
            if (next == null) {
                break;
            }
            waitingCount.decrementAndGet();
            long number = ++lastNumber;
            long floor = underWay.isEmpty() ? number : underWay.firstKey();
            OpId op = new OpId(node, identity.storeId(), identity.boot(), number, floor);
            begin(next, op);
        }
        underWay.forEach((number, pending) -> {
            if (pending.deadline - now <= 0) {
                underWay.remove(number);
                pending.answer.completeExceptionally(new DefinitionsUnavailableException(
                        "the cluster did not agree in time; whether it still will is not known"));
            } else if (pending.nextAttempt - now <= 0) {
                attempt(pending, now);
            }
        });
        return underWay.isEmpty() && waiting.isEmpty() ? null : RETRY_NANOS;
    }

    private void begin(Pending pending, OpId op) {
        byte[] bytes = CommandCodec.encode(new Proposal(op, pending.command));
        if (bytes.length > RaftTuning.COMMAND_BYTES_MAX / 2) {
            pending.answer.completeExceptionally(
                    new IllegalArgumentException("a command of " + bytes.length + " bytes is too large"));
            return;
        }
        pending.bytes = bytes;
        pending.nextAttempt = pending.deadline - deadlineNanos;
        underWay.put(op.number(), pending);
    }

    private void attempt(Pending pending, long now) {
        RaftPeerId leader = raft.leader();
        byte[] bytes = pending.bytes;
        if (leader == null || bytes == null) {
            pending.nextAttempt = now + RETRY_NANOS;
            return;
        }
        pending.nextAttempt = now + ATTEMPT_NANOS;
        raft.write(bytes, leader).whenComplete((reply, failure) -> answered(pending, reply, now));
    }

    private void answered(Pending pending, @Nullable RaftClientReply reply, long sentAt) {
        boolean isAgreed = reply != null && reply.isSuccess();
        // A good answer needs no more: the effect is in this node's own log.
        pending.nextAttempt = isAgreed ? pending.deadline : sentAt + RETRY_NANOS;
        if (isAgreed && !pending.answer.isDone() && !raft.isLeader()) {
            catchUp.run();
        }
    }

    /** A proposal took effect on this node. */
    void applied(OpId op, Outcome outcome) {
        if (isOurs(op.node(), op.boot(), op.storeId())) {
            Pending pending = underWay.remove(op.number());
            if (pending != null) {
                pending.answer.complete(outcome);
            }
        }
    }

    /** An image came as a whole; what it remembers of our proposals was applied. */
    void reloaded(ClusterImage image) {
        ClientResults results = image.results.get(node);
        if (results != null && isOurs(node, results.boot(), results.storeId())) {
            underWay.forEach((number, pending) -> {
                Outcome outcome = results.byNumber().get(number);
                if (outcome != null && underWay.remove(number, pending)) {
                    pending.answer.complete(outcome);
                }
            });
        }
    }

    private boolean isOurs(NodeName name, long boot, UUID storeId) {
        return name.equals(node) && boot == identity.boot() && storeId.equals(identity.storeId());
    }

    /** Nothing is proposed any more. After the last step. */
    void close() {
        isClosed = true;
        underWay.values().forEach(RaftProposer::refuse);
        underWay.clear();
        refuseWaiting();
    }

    private void refuseWaiting() {
        for (Pending pending = waiting.poll(); pending != null; pending = waiting.poll()) {
            waitingCount.decrementAndGet();
            refuse(pending);
        }
    }

    private static void refuse(Pending pending) {
        pending.answer.completeExceptionally(new DefinitionsUnavailableException("this node is stopping"));
    }
}
