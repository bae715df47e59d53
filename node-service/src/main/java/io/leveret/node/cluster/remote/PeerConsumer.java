package io.leveret.node.cluster.remote;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.LeaderSubscription;
import io.leveret.node.broker.queue.Subscriber;
import io.leveret.node.broker.queue.Subscription.Settlement;
import io.leveret.node.broker.queue.SubscriptionOptions;
import io.leveret.node.broker.queue.SubscriptionRefusedException;
import io.leveret.node.cluster.peer.PeerClass;
import io.leveret.node.cluster.peer.PeerLink;
import io.leveret.node.cluster.peer.PeerOutbox;
import io.leveret.node.cluster.replication.Leadership;
import io.leveret.node.cluster.replication.QueueHost;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of another node, at its queue's leader: the far end of a {@link PeerLine}. Deliveries stop while the link has no
 * credit. Owned by the queue's executor.
 */
final class PeerConsumer implements Subscriber {
    private final QueueHost host;
    private final long epoch;
    private final PeerLink link;
    private final PeerOutbox outbox;
    private final long session;
    private final SubscriptionOptions options;
    private final boolean wantsIds;
    private @Nullable LeaderSubscription subscription;
    private boolean isPaused;
    private boolean isWaitingForLink;

    PeerConsumer(QueueHost host, long epoch, PeerLink link, long session, RemoteFrame.Asked asked) {
        this.host = host;
        this.epoch = epoch;
        this.link = link;
        this.outbox = link.outbox(host.executor());
        this.session = session;
        this.options = asked.options();
        this.wantsIds = asked.wantsIds();
    }

    /** @return whether it is open now */
    boolean open() {
        Leadership leadership = host.leading(epoch);
        if (leadership == null) {
            send(RemoteFrame.plain(RemoteFrame.NOT_LEADER, session));
            return false;
        }
        try {
            subscription = leadership.queue().subscribe(this, options);
            send(RemoteFrame.plain(RemoteFrame.SUBSCRIBED, session));
            return true;
        } catch (SubscriptionRefusedException e) {
            send(RemoteFrame.refused(session, String.valueOf(e.getMessage())));
            return false;
        }
    }

    /** Reads what the origin says, on the link's executor; what it asks for is done later, and not after the end. */
    Runnable received(byte type, ByteBuffer in) {
        switch (type) {
            case RemoteFrame.SETTLE:
                long from = in.getLong();
                long to = in.getLong();
                Settlement settlement = RemoteFrame.settlement(in);
                return whileOpen(it -> it.settle(from, to, settlement));
            case RemoteFrame.IDENTIFY:
                return whileOpen(it -> {
                    it.identify();
                    send(RemoteFrame.identified(session, 0, 0, 0));
                });
            case RemoteFrame.GIVE_BACK:
                long number = in.getLong();
                return whileOpen(it -> it.giveBack(number));
            case RemoteFrame.PAUSE:
                return whileOpen(it -> {
                    isPaused = true;
                    it.pause();
                });
            case RemoteFrame.RESUME:
                return whileOpen(it -> {
                    isPaused = false;
                    it.resume();
                });
            case RemoteFrame.GET:
                long request = in.getLong();
                return whileOpen(it -> get(it, request));
            case RemoteFrame.CANCEL:
                return whileOpen(LeaderSubscription::cancel);
            case RemoteFrame.CLOSE:
                return this::close;
            default:
                throw new IllegalArgumentException("frame " + type + " for a consumer");
        }
    }

    private Runnable whileOpen(Consumer<LeaderSubscription> act) {
        return () -> {
            if (subscription != null) {
                act.accept(subscription);
            }
        };
    }

    private void get(LeaderSubscription open, long request) {
        Leadership leadership = host.leading(epoch);
        if (leadership != null) {
            leadership.queue().get(open).thenAccept(remaining -> send(RemoteFrame.got(session, request, remaining)));
        }
    }

    /** The link has credit again. */
    void linkWritable() {
        if (isWaitingForLink && subscription != null && !isPaused) {
            isWaitingForLink = false;
            subscription.resume();
        }
    }

    /** The line or its link ended: what is unsettled goes back. */
    void close() {
        LeaderSubscription open = subscription;
        subscription = null;
        if (open != null) {
            open.close();
        }
    }

    private void send(ByteBuffer frame) {
        outbox.send(PeerClass.CLIENT, RemoteQueueService.SERVICE, frame);
    }

    @Override
    public SerialExecutor executor() {
        return host.executor();
    }

    @Override
    public boolean isWritable() {
        boolean isWritable = link.isWritable(PeerClass.CLIENT);
        if (!isWritable) {
            isWaitingForLink = true;
        }
        return isWritable;
    }

    @Override
    public boolean wantsIds() {
        return wantsIds;
    }

    @Override
    public void identified(long number, long messageEpoch, long index) {
        send(RemoteFrame.identified(session, number, messageEpoch, index));
    }

    @Override
    public void deliver(long number, Message message, boolean isRedelivered) {
        outbox.send(
                PeerClass.CLIENT,
                RemoteQueueService.SERVICE,
                RemoteFrame.deliverHead(session, number, message, isRedelivered),
                ByteBuffer.wrap(message.header()),
                ByteBuffer.wrap(message.body()));
    }

    @Override
    public void cancelled(CancelReason reason) {
        send(RemoteFrame.cancelled(session, reason));
    }
}
