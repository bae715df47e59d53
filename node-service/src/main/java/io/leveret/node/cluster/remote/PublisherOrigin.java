package io.leveret.node.cluster.remote;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LetterSource;
import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.cluster.peer.PeerClass;
import io.leveret.node.cluster.peer.PeerOutbox;
import io.leveret.node.cluster.replication.ChannelKey;
import io.leveret.node.cluster.replication.OriginCore;
import io.leveret.node.cluster.replication.OriginMessage;
import io.leveret.node.cluster.replication.OriginMessageCodec;
import io.leveret.node.cluster.replication.OriginOutput;
import io.leveret.node.cluster.replication.QueueHost;
import io.leveret.node.cluster.replication.ReplicaSet;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The publishes of one channel to one queue: gives an {@link OriginCore} its leader, its clock and its way to the leader, on
 * this loop, on another or on another node. Owned by the channel's executor.
 */
final class PublisherOrigin implements OriginOutput {
    /** How exactly the publish deadline is kept. */
    private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** The leader has not yet heard of its leadership, or the origin of another: metadata is on its way. */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** A leader that gives way, or is paused, refuses for longer; each try sends it all that is unanswered. */
    private static final long RETRY_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(320);

    private final ClusterQueue queue;
    private final Publisher publisher;
    private final SerialExecutor here;
    private final ChannelKey channel;
    private final OriginCore core;
    private @Nullable PeerOutbox outbox;
    private @Nullable QueueHost host;
    private long nowNanos;
    private boolean isTicking;
    private boolean isRetrying;
    private long retryNanos = RETRY_NANOS;
    private boolean isClosed;
    private boolean isFinished;

    PublisherOrigin(ClusterQueue queue, Publisher publisher, ChannelKey channel, long deadlineNanos) {
        this.queue = queue;
        this.publisher = publisher;
        this.here = publisher.executor();
        this.channel = channel;
        LetterSource source = publisher.letterSource();
        this.core =
                source == null ? new OriginCore(channel, deadlineNanos, this) : new OriginCore(channel, source, this);
    }

    Publisher publisher() {
        return publisher;
    }

    SerialExecutor executor() {
        return here;
    }

    ChannelKey channel() {
        return channel;
    }

    /** Nothing is left to answer, and the leader knows of the channel's end or will not be told. */
    boolean isFinished() {
        return isFinished;
    }

    void publish(long number, Message message, boolean isAgain) {
        if (!isTicking) {
            startTicking();
        }
        core.publish(number, message, isAgain, nowNanos);
    }

    void settle(long number, IdRuns ids) {
        if (!isTicking) {
            startTicking();
        }
        core.settle(number, ids, nowNanos);
    }

    private void startTicking() {
        isTicking = true;
        nowNanos = queue.nanoTime();
        here.schedule(this::tick, TICK_NANOS);
    }

    private void tick() {
        nowNanos = queue.nanoTime();
        core.tick(nowNanos);
        if (!isFinished && (core.unanswered() > 0 || isClosed)) {
            here.schedule(this::tick, TICK_NANOS);
        } else {
            isTicking = false;
        }
    }

    /** The leader is on this node. */
    void leadHere(QueueHost leader, int self, long epoch) {
        host = leader;
        outbox = null;
        retryNanos = RETRY_NANOS;
        core.leader(self, epoch, 0);
    }

    /** The leader is at the other end of a link. */
    void leadThere(PeerOutbox way, int leader, long epoch) {
        host = null;
        outbox = way;
        retryNanos = RETRY_NANOS;
        core.leader(leader, epoch, way.link().number());
    }

    /** Nobody can be reached: what is published waits. */
    void leadNowhere() {
        host = null;
        outbox = null;
        core.leader(ReplicaSet.NOBODY, 0, 0);
    }

    /** Nobody will be reached soon: what waits is refused now, but for dead letters, which have time. */
    void refuseAll() {
        leadNowhere();
        if (publisher.letterSource() != null) {
            return;
        }
        nowNanos = queue.nanoTime();
        core.tick(nowNanos + queue.publishDeadlineNanos());
    }

    void received(OriginMessage.ToOrigin message) {
        core.received(message);
        if (message instanceof OriginMessage.Answered) {
            retryNanos = RETRY_NANOS;
        }
        if (!core.isOpen() && !isRetrying) {
            isRetrying = true;
            here.schedule(this::retry, retryNanos);
            retryNanos = Math.min(2 * retryNanos, RETRY_NANOS_MAX);
        }
    }

    private void retry() {
        isRetrying = false;
        core.retry();
    }

    void lettersSettled(MessageId floor, IdRuns letters) {
        core.lettersSettled(floor, letters);
    }

    void close() {
        isClosed = true;
        core.close();
        if (!isTicking) {
            startTicking();
        }
    }

    /** What the replica here holds is let go, too: a channel may remember the queue for as long as it lives. */
    void queueDeleted() {
        host = null;
        outbox = null;
        core.deleted();
    }

    @Override
    public void send(int leader, OriginMessage.ToLeader message) {
        PeerOutbox way = outbox;
        QueueHost local = host;
        if (local != null) {
            SerialExecutor there = local.executor();
            if (here == there) {
                local.fromOrigin(message);
            } else {
                here.handOver(there, () -> local.fromOrigin(message));
            }
        } else if (way != null) {
            ByteBuffer frame = RemoteFrame.plain(RemoteFrame.TO_LEADER, queue.incarnation());
            ByteBuffer head = OriginMessageCodec.encodeHead(message);
            if (message instanceof OriginMessage.Publish publish) {
                way.send(
                        PeerClass.CLIENT,
                        RemoteQueueService.SERVICE,
                        frame,
                        head,
                        ByteBuffer.wrap(publish.message().header()),
                        ByteBuffer.wrap(publish.message().body()));
            } else {
                way.send(PeerClass.CLIENT, RemoteQueueService.SERVICE, frame, head);
            }
        }
    }

    @Override
    public void answered(long number, boolean isConfirmed) {
        publisher.answered(number, isConfirmed);
    }

    @Override
    public void finished() {
        isFinished = true;
        queue.forget(this);
    }
}
