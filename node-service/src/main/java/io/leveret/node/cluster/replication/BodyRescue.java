package io.leveret.node.cluster.replication;

import io.leveret.model.NodeName;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.CodecException;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.cluster.peer.PeerAnswer;
import io.leveret.node.cluster.peer.PeerRequests;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Fetches messages from other replicas that the local disk can no longer read. A question is incarnation and message id, the
 * answer the message as a backfilled record, or nothing.
 */
final class BodyRescue {
    static final int SERVICE = 4;
    private static final long ANSWER_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

    private final QueueHosts hosts;
    private final PeerRequests requests;

    BodyRescue(QueueHosts hosts, ReplicaContext context, SerialExecutor executor) {
        this.hosts = hosts;
        this.requests = PeerRequests.register(context.transport, SERVICE, executor, this::asked);
    }

    /**
     * What came of it.
     *
     * @param isCertain without a copy: each node said that it has none
     */
    record Found(@Nullable MessageCopy copy, boolean isCertain) {}

    /** Asks the nodes one after the other. @param then on any executor */
    void fetch(long incarnation, MessageId id, List<NodeName> nodes, Consumer<Found> then) {
        fetch(incarnation, id, nodes, true, then);
    }

    private void fetch(long incarnation, MessageId id, List<NodeName> nodes, boolean isCertain, Consumer<Found> then) {
        if (nodes.isEmpty()) {
            then.accept(new Found(null, isCertain));
            return;
        }
        ByteBuffer question = ByteBuffer.allocate(24)
                .putLong(incarnation)
                .putLong(id.epoch())
                .putLong(id.index())
                .flip();
        requests.ask(nodes.get(0), question, ANSWER_NANOS_MAX).thenAccept(answer -> {
            MessageCopy copy = answer instanceof PeerAnswer.Answered answered ? read(answered.payload()) : null;
            if (copy != null && copy.id().equals(id)) {
                then.accept(new Found(copy, true));
            } else {
                boolean isAnswered = answer instanceof PeerAnswer.Answered;
                fetch(incarnation, id, nodes.subList(1, nodes.size()), isCertain && isAnswered, then);
            }
        });
    }

    private static @Nullable MessageCopy read(ByteBuffer payload) {
        if (!payload.hasRemaining()) {
            return null;
        }
        try {
            return ReplicaRecordCodec.copyOf(ReplicaRecordCodec.decode(payload));
        } catch (CodecException e) {
            return null;
        }
    }

    private CompletionStage<ByteBuffer> asked(NodeName asker, ByteBuffer question) {
        QueueHost host = hosts.host(question.getLong());
        MessageId id = new MessageId(question.getLong(), question.getLong());
        CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
        if (host == null) {
            // It is about to hear that it has a replica, or that it has none any more.
            answer.completeExceptionally(new IllegalStateException("no replica here now"));
            return answer;
        }
        host.executor().execute(() -> {
            LiveMessage entry = host.state().queue().live().get(id);
            List<LiveMessage> wanted = entry == null ? List.of() : List.of(entry);
            BackfillReader.read(
                    host,
                    wanted,
                    copies -> answer.complete(
                            copies.isEmpty()
                                    ? ByteBuffer.allocate(0)
                                    : ByteBuffer.wrap(
                                            ReplicaRecordCodec.encode(new ReplicaRecord.Backfilled(copies.get(0))))));
        });
        return answer;
    }
}
