package io.leveret.node.cluster.remote;

import io.leveret.model.NodeName;
import io.leveret.node.broker.queue.QueueUnavailableException;
import io.leveret.node.cluster.peer.PeerAnswer;
import io.leveret.node.cluster.peer.PeerRequests;
import io.leveret.node.cluster.peer.PeerTransport;
import io.leveret.node.cluster.replication.Leadership;
import io.leveret.node.cluster.replication.QueueHost;
import io.leveret.node.cluster.replication.QueueHosts;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks the leader of a queue, here or elsewhere, and asks again while there is none or no answer. An auto-delete queue whose
 * last consumer has left gives no answer any more: who declares it again waits until it is gone, and makes another, instead of
 * being told of one that the next command does not find (a RabbitMQ queue process, too, is gone before anybody is answered).
 *
 * <p>Owned by one executor. Bound: what clients ask at a time, each question for the publish deadline.
 */
final class QueueQuestions {
    static final int SERVICE = 3;
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long ANSWER_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);
    private static final String NOT_LEADER = "not the leader";
    private static final String ENDING = "about to be deleted";

    private final QueueHosts hosts;
    private final PeerRequests requests;
    private final SerialExecutor executor;
    private final NodeName self;

    QueueQuestions(QueueHosts hosts, PeerTransport transport, SerialExecutor executor, NodeName self) {
        this.hosts = hosts;
        this.executor = executor;
        this.self = self;
        this.requests = PeerRequests.register(transport, SERVICE, executor, this::asked);
    }

    /** Any thread. Fails with {@link QueueUnavailableException} after the time. */
    <T> CompletionStage<T> ask(ClusterQueue queue, QueueQuestion<T> question, long timeNanos) {
        CompletableFuture<T> result = new CompletableFuture<>();
        long deadline = queue.nanoTime() + timeNanos;
        executor.run(() -> attempt(queue, question, deadline, result));
        return result;
    }

    private <T> void attempt(
            ClusterQueue queue, QueueQuestion<T> question, long deadline, CompletableFuture<T> result) {
        ClusterQueue.Lead lead = queue.lead();
        if (queue.isDeleted() || lead.isLost()) {
            result.completeExceptionally(queue.unavailable());
            return;
        }
        long left = deadline - queue.nanoTime();
        if (left <= 0) {
            result.completeExceptionally(queue.unavailable());
        } else if (lead.node() == null) {
            again(queue, question, deadline, result);
        } else if (lead.node().equals(self)) {
            askHere(queue.incarnation(), lead.epoch(), question).whenComplete((answer, failure) -> {
                if (failure == null) {
                    result.complete(answer);
                } else {
                    again(queue, question, deadline, result);
                }
            });
        } else {
            ByteBuffer payload = ByteBuffer.allocate(17)
                    .put(question.number())
                    .putLong(queue.incarnation())
                    .putLong(lead.epoch())
                    .flip();
            requests.ask(lead.node(), payload, Math.min(left, ANSWER_NANOS_MAX)).thenAccept(answer -> {
                if (answer instanceof PeerAnswer.Answered answered) {
                    result.complete(question.read(answered.payload()));
                } else {
                    again(queue, question, deadline, result);
                }
            });
        }
    }

    private <T> void again(ClusterQueue queue, QueueQuestion<T> question, long deadline, CompletableFuture<T> result) {
        executor.schedule(() -> attempt(queue, question, deadline, result), AGAIN_NANOS);
    }

    private <T> CompletionStage<T> askHere(long incarnation, long epoch, QueueQuestion<T> question) {
        @Nullable QueueHost host = hosts.host(incarnation);
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (host == null) {
            answer.completeExceptionally(new QueueUnavailableException(NOT_LEADER));
            return answer;
        }
        host.executor().run(() -> {
            @Nullable Leadership leadership = host.leading(epoch);
            if (leadership == null) {
                answer.completeExceptionally(new QueueUnavailableException(NOT_LEADER));
            } else if (leadership.isEnding() && question.isUse()) {
                answer.completeExceptionally(new QueueUnavailableException(ENDING));
            } else {
                answer.complete(question.ask(leadership.queue()));
            }
        });
        return answer;
    }

    private CompletionStage<ByteBuffer> asked(NodeName asker, ByteBuffer payload) {
        QueueQuestion<?> question = QueueQuestion.of(payload.get());
        return answered(payload.getLong(), payload.getLong(), question);
    }

    private <T> CompletionStage<ByteBuffer> answered(long incarnation, long epoch, QueueQuestion<T> question) {
        return askHere(incarnation, epoch, question).thenApply(question::write);
    }
}
