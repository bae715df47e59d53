package io.leveret.node.cluster.remote;

import io.leveret.node.broker.queue.Subscription.Settlement;
import io.leveret.node.broker.queue.SubscriptionOptions;
import io.leveret.node.cluster.peer.PeerClass;
import io.leveret.node.cluster.peer.PeerLink;
import io.leveret.node.cluster.peer.PeerOutbox;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** A line to a leader on another node, over one link; it dies with the link. Owned by the subscriber's executor. */
final class PeerLine implements ConsumerLine {
    private final PeerOutbox outbox;
    private final long number;
    private final long incarnation;
    private final long epoch;
    private final SubscriptionOptions options;
    private final OriginSubscription session;
    private final Consumer<PeerLine> whenClosed;

    /** @param number names this line; never used twice by this node */
    PeerLine(
            PeerOutbox outbox,
            long number,
            long incarnation,
            long epoch,
            SubscriptionOptions options,
            OriginSubscription session,
            Consumer<PeerLine> whenClosed) {
        this.outbox = outbox;
        this.number = number;
        this.incarnation = incarnation;
        this.epoch = epoch;
        this.options = options;
        this.session = session;
        this.whenClosed = whenClosed;
    }

    SerialExecutor executor() {
        return session.subscriber().executor();
    }

    long number() {
        return number;
    }

    PeerLink link() {
        return outbox.link();
    }

    OriginSubscription session() {
        return session;
    }

    private void send(ByteBuffer frame) {
        outbox.send(PeerClass.CLIENT, RemoteQueueService.SERVICE, frame);
    }

    @Override
    public void open() {
        send(RemoteFrame.subscribe(
                number, incarnation, epoch, options, session.subscriber().wantsIds()));
    }

    @Override
    public void identify() {
        send(RemoteFrame.plain(RemoteFrame.IDENTIFY, number));
    }

    @Override
    public void settle(long from, long to, Settlement settlement) {
        send(RemoteFrame.settle(number, from, to, settlement));
    }

    @Override
    public void giveBack(long delivery) {
        send(RemoteFrame.withNumber(RemoteFrame.GIVE_BACK, number, delivery));
    }

    @Override
    public void pause() {
        send(RemoteFrame.plain(RemoteFrame.PAUSE, number));
    }

    @Override
    public void resume() {
        send(RemoteFrame.plain(RemoteFrame.RESUME, number));
    }

    @Override
    public void get(long request) {
        send(RemoteFrame.withNumber(RemoteFrame.GET, number, request));
    }

    @Override
    public void cancel() {
        send(RemoteFrame.plain(RemoteFrame.CANCEL, number));
    }

    @Override
    public void close() {
        whenClosed.accept(this);
        send(RemoteFrame.plain(RemoteFrame.CLOSE, number));
    }

    @Override
    public boolean isRemote() {
        return true;
    }
}
