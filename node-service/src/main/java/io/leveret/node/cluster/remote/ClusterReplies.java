package io.leveret.node.cluster.remote;

import io.leveret.model.NodeName;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.broker.vhost.LocalReplies;
import io.leveret.node.broker.vhost.ReplyAddress;
import io.leveret.node.broker.vhost.ReplyConsumer;
import io.leveret.node.broker.vhost.ReplyRoutes;
import io.leveret.node.cluster.peer.PeerAnswer;
import io.leveret.node.cluster.peer.PeerClass;
import io.leveret.node.cluster.peer.PeerLink;
import io.leveret.node.cluster.peer.PeerListener;
import io.leveret.node.cluster.peer.PeerRequests;
import io.leveret.node.cluster.peer.PeerService;
import io.leveret.node.cluster.peer.PeerTransport;
import io.leveret.node.runtime.Randomness;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Brings answers to requests (direct reply-to) to the channel that awaits them, whichever node its client is connected to.
 *
 * <pre>
 * responder's node                    requester's node
 *   reply(number, key, message) ──►   the channel, or nobody
 *   is it there? (number, key)  ──►   1 or 0
 * </pre>
 *
 * While a link is full, answers wait, in order, and count against the window of the connection that published them: that is
 * their bound. Those of a link that ends are dropped.
 */
public final class ClusterReplies implements ReplyRoutes, PeerService, PeerListener {
    static final int SERVICE = 8;
    static final int QUESTIONS = 9;
    private static final long QUESTION_NANOS_MAX = TimeUnit.SECONDS.toNanos(5);

    private final LocalReplies local;
    private final ClusterQueueDirectory directory;
    private final PeerTransport transport;
    private final PeerRequests questions;
    private final ConcurrentMap<Road, ArrayDeque<Waiting>> waiting = new ConcurrentHashMap<>();

    /** Registers itself with the transport. @param executor where rare questions are asked */
    public static ClusterReplies register(
            ClusterQueueDirectory directory, PeerTransport transport, SerialExecutor executor, Randomness randomness) {
        ClusterReplies replies = new ClusterReplies(directory, transport, executor, randomness);
        transport.register(SERVICE, replies);
        transport.listen(replies);
        return replies;
    }

    private ClusterReplies(
            ClusterQueueDirectory directory, PeerTransport transport, SerialExecutor executor, Randomness randomness) {
        this.directory = directory;
        this.transport = transport;
        this.local = new LocalReplies(randomness, directory::selfNumber);
        this.questions = PeerRequests.register(
                transport,
                QUESTIONS,
                executor,
                (asker, question) -> CompletableFuture.completedFuture(asked(question)));
    }

    /** What one executor sends through one link. Its queue is the executor's own. */
    private record Road(PeerLink link, SerialExecutor from) {}

    private record Waiting(Publisher publisher, long number, ReplyAddress to, Message message) {}

    @Override
    public ReplyAddress open(ReplyConsumer consumer) {
        return local.open(consumer);
    }

    @Override
    public void close(ReplyAddress address) {
        local.close(address);
    }

    private boolean isHere(ReplyAddress address) {
        return address.node() == directory.selfNumber();
    }

    @Override
    public void deliver(Publisher publisher, long number, ReplyAddress to, Message message) {
        if (isHere(to)) {
            local.deliver(publisher, number, to, message);
            return;
        }
        NodeName node = directory.nameOf(to.node());
        PeerLink link = node == null ? null : transport.link(node);
        if (link == null) {
            publisher.answered(number, true);
            return;
        }
        Road road = new Road(link, publisher.executor());
        Waiting one = new Waiting(publisher, number, to, message);
        if (link.isWritable(PeerClass.CLIENT) && !waiting.containsKey(road)) {
            send(road, one);
        } else {
            waiting.computeIfAbsent(road, key -> new ArrayDeque<>()).add(one);
            // The link may have got room, or ended, before that was noted.
            drain(road);
        }
    }

    private static void send(Road road, Waiting one) {
        Message message = one.message();
        road.link()
                .outbox(road.from())
                .send(
                        PeerClass.CLIENT,
                        SERVICE,
                        RemoteFrame.replyHead(one.to(), message),
                        ByteBuffer.wrap(message.header()),
                        ByteBuffer.wrap(message.body()));
        one.publisher().answered(one.number(), true);
    }

    /** On the road's executor. */
    private void drain(Road road) {
        ArrayDeque<Waiting> queue = waiting.get(road);
        if (queue == null) {
            return;
        }
        while (!queue.isEmpty()) {
            if (!road.link().isOpen()) {
                Waiting dropped = queue.remove();
                dropped.publisher().answered(dropped.number(), true);
            } else if (road.link().isWritable(PeerClass.CLIENT)) {
                send(road, queue.remove());
            } else {
                return;
            }
        }
        waiting.remove(road);
    }

    private void drainAll(PeerLink link) {
        waiting.keySet().stream()
                .filter(road -> road.link().equals(link))
                .forEach(road -> road.from().execute(() -> drain(road)));
    }

    @Override
    public void writable(PeerLink link, PeerClass trafficClass) {
        if (trafficClass == PeerClass.CLIENT) {
            drainAll(link);
        }
    }

    @Override
    public void linkDown(PeerLink link) {
        drainAll(link);
    }

    @Override
    public boolean releasesItself() {
        return true;
    }

    @Override
    public void received(PeerLink link, PeerClass trafficClass, ByteBuffer in) {
        int bytes = in.remaining();
        ReplyConsumer consumer = local.find(RemoteFrame.replyAddress(directory.selfNumber(), in));
        if (consumer == null) {
            link.release(trafficClass, bytes);
            return;
        }
        Message message = RemoteFrame.message(in).message();
        link.executor().handOver(consumer.executor(), () -> {
            consumer.deliver(message);
            link.release(trafficClass, bytes);
        });
    }

    @Override
    public CompletionStage<Boolean> isOpen(ReplyAddress address) {
        if (isHere(address)) {
            return local.isOpen(address);
        }
        @Nullable NodeName node = directory.nameOf(address.node());
        return node == null
                ? CompletableFuture.completedFuture(false)
                : questions
                        .ask(node, RemoteFrame.replyQuestion(address), QUESTION_NANOS_MAX)
                        .thenApply(answer -> answer instanceof PeerAnswer.Answered answered
                                && answered.payload().get() == 1);
    }

    private ByteBuffer asked(ByteBuffer question) {
        boolean isThere = local.find(RemoteFrame.replyAddress(directory.selfNumber(), question)) != null;
        return ByteBuffer.allocate(1).put((byte) (isThere ? 1 : 0)).flip();
    }
}
