package io.leveret.node;

import io.leveret.model.NodeName;
import io.leveret.model.UserName;
import io.leveret.model.VhostName;
import io.leveret.node.amqp.server.ConnectionRegistry;
import io.leveret.node.broker.auth.Usage;
import io.leveret.node.broker.auth.Usage.Count;
import io.leveret.node.broker.auth.UsageElsewhere;
import io.leveret.node.cluster.peer.PeerAnswer;
import io.leveret.node.cluster.peer.PeerRequests;
import io.leveret.node.cluster.peer.PeerTransport;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks the other nodes what they count when somebody wants a place that is limited. A node that is not linked, or does not answer
 * in time, counts nothing: its clients are about to lose it.
 */
final class ClusterUsage implements UsageElsewhere {
    static final int SERVICE = 6;
    /** A link that is silent for longer ends, and the question with it; a connection may take so long to be opened. */
    private static final long ANSWER_NANOS_MAX = TimeUnit.SECONDS.toNanos(8);

    private final List<NodeName> others;
    private volatile @Nullable PeerRequests requests;

    /** @param others the nodes of the cluster without this one */
    ClusterUsage(List<NodeName> others) {
        this.others = others;
    }

    /** From now on it asks, and answers from these connections. */
    void listenTo(PeerTransport transport, SerialExecutor executor, ConnectionRegistry connections) {
        requests = PeerRequests.register(
                transport,
                SERVICE,
                executor,
                (asker, question) -> CompletableFuture.completedFuture(answer(connections, question)));
    }

    @Override
    public CompletionStage<Usage> ask(UserName user, VhostName vhost) {
        PeerRequests ready = requests;
        if (ready == null) {
            return CompletableFuture.completedFuture(Usage.NONE);
        }
        List<CompletableFuture<Usage>> answers = others.stream()
                .map(each -> ready.ask(each, question(user, vhost), ANSWER_NANOS_MAX)
                        .thenApply(ClusterUsage::read)
                        .toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(
                        nothing -> answers.stream().map(CompletableFuture::join).reduce(Usage.NONE, Usage::plus));
    }

    /** Both names, each after its length as u16. */
    private static ByteBuffer question(UserName user, VhostName vhost) {
        byte[] first = user.value().getBytes(StandardCharsets.UTF_8);
        byte[] second = vhost.value().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 * Short.BYTES + first.length + second.length)
                .putShort((short) first.length)
                .put(first)
                .putShort((short) second.length)
                .put(second)
                .flip();
    }

    private static String name(ByteBuffer in) {
        byte[] bytes = new byte[Short.toUnsignedInt(in.getShort())];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Open and pending of each kind, as i32. */
    private static ByteBuffer answer(ConnectionRegistry connections, ByteBuffer question) {
        Usage usage = connections.usage(new UserName(name(question)), new VhostName(name(question)));
        ByteBuffer out = ByteBuffer.allocate(6 * Integer.BYTES);
        for (Count each : List.of(usage.ofVhost(), usage.ofUser(), usage.channels())) {
            out.putInt(each.open()).putInt(each.pending());
        }
        return out.flip();
    }

    private static Usage read(PeerAnswer answer) {
        if (!(answer instanceof PeerAnswer.Answered answered)) {
            return Usage.NONE;
        }
        ByteBuffer in = answered.payload();
        return new Usage(count(in), count(in), count(in));
    }

    private static Count count(ByteBuffer in) {
        return new Count(in.getInt(), in.getInt());
    }
}
