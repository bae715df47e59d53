package io.leveret.node.cluster.replication;

import io.leveret.model.NodeName;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.QueuePlacement;
import io.leveret.node.cluster.peer.PeerRequests;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Asks leaders, here or on other nodes, to give their leadership away in good order. A question is incarnation, epoch and the
 * name of the node that is to lead; the answer is empty and says no more than that it was heard: what comes of it, metadata
 * tells.
 */
final class HandOverRequests {
    static final int SERVICE = 10;
    private static final long ANSWER_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

    private final QueueHosts hosts;
    private final ReplicaContext context;
    private final PeerRequests requests;

    HandOverRequests(QueueHosts hosts, ReplicaContext context, SerialExecutor executor) {
        this.hosts = hosts;
        this.context = context;
        this.requests = PeerRequests.register(context.transport, SERVICE, executor, this::asked);
    }

    /** Asks the leader of the step's epoch, as this node knows it. Any thread; may be asked again. */
    void ask(ClusterCommand.Move.Step step) {
        QueuePlacement placement = context.store.cluster().placement(step.incarnation());
        NodeName leader = placement == null || placement.epoch() != step.epoch() ? null : placement.leader();
        if (leader == null) {
            return;
        }
        if (leader.equals(context.store.localNode())) {
            handOver(step.incarnation(), step.epoch(), step.to());
            return;
        }
        byte[] name = step.to().value().getBytes(StandardCharsets.UTF_8);
        ByteBuffer question = ByteBuffer.allocate(16 + name.length)
                .putLong(step.incarnation())
                .putLong(step.epoch())
                .put(name)
                .flip();
        requests.ask(leader, question, ANSWER_NANOS_MAX);
    }

    private void handOver(long incarnation, long epoch, NodeName to) {
        QueueHost host = hosts.host(incarnation);
        if (host != null) {
            host.executor().execute(() -> host.handOver(to, epoch));
        }
    }

    private CompletionStage<ByteBuffer> asked(NodeName asker, ByteBuffer question) {
        long incarnation = question.getLong();
        long epoch = question.getLong();
        byte[] name = new byte[question.remaining()];
        question.get(name);
        handOver(incarnation, epoch, new NodeName(new String(name, StandardCharsets.UTF_8)));
        return CompletableFuture.completedFuture(ByteBuffer.allocate(0));
    }
}
