package io.leveret.node.cluster.remote;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.LeaderSubscription;
import io.leveret.node.broker.queue.Subscriber;
import io.leveret.node.broker.queue.Subscription.Settlement;
import io.leveret.node.broker.queue.SubscriptionOptions;
import io.leveret.node.broker.queue.SubscriptionRefusedException;
import io.leveret.node.cluster.replication.Leadership;
import io.leveret.node.cluster.replication.QueueHost;
import io.leveret.node.runtime.SerialExecutor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A line to a leader on this node. On one loop the two call each other; between two loops each hands over what its batch has
 * for the other. The subscription at the leader is touched on the queue's executor only.
 */
final class LocalLine implements ConsumerLine, Subscriber {
    private final QueueHost host;
    private final long epoch;
    private final ConsumerSession session;
    private final Subscriber subscriber;
    private final SubscriptionOptions options;
    private final SerialExecutor here;
    private final SerialExecutor there;
    private final boolean wantsIds;
    /** Null before the opening and after the end; the queue's executor's. */
    private @Nullable LeaderSubscription subscription;

    LocalLine(QueueHost host, long epoch, ConsumerSession session, Subscriber subscriber, SubscriptionOptions options) {
        this.host = host;
        this.epoch = epoch;
        this.session = session;
        this.subscriber = subscriber;
        this.options = options;
        this.here = subscriber.executor();
        this.there = host.executor();
        this.wantsIds = subscriber.wantsIds();
    }

    private void toLeader(Runnable task) {
        if (here == there) {
            task.run();
        } else {
            here.handOver(there, task);
        }
    }

    private void toOrigin(Runnable task) {
        if (here == there) {
            task.run();
        } else {
            there.handOver(here, task);
        }
    }

    private void withSubscription(Consumer<LeaderSubscription> act) {
        toLeader(() -> {
            if (subscription != null) {
                act.accept(subscription);
            }
        });
    }

    @Override
    public void open() {
        toLeader(() -> {
            Leadership leadership = host.leading(epoch);
            if (leadership == null) {
                toOrigin(() -> session.notLeader(this));
                return;
            }
            try {
                subscription = leadership.queue().subscribe(this, options);
                toOrigin(() -> session.opened(this));
            } catch (SubscriptionRefusedException e) {
                String reason = String.valueOf(e.getMessage());
                toOrigin(() -> session.refused(this, reason));
            }
        });
    }

    @Override
    public void identify() {
        withSubscription(it -> {
            it.identify();
            toOrigin(() -> session.identified(this, 0, 0, 0));
        });
    }

    @Override
    public void settle(long from, long to, Settlement settlement) {
        withSubscription(it -> it.settle(from, to, settlement));
    }

    @Override
    public void giveBack(long number) {
        withSubscription(it -> it.giveBack(number));
    }

    @Override
    public void pause() {
        withSubscription(LeaderSubscription::pause);
    }

    @Override
    public void resume() {
        withSubscription(LeaderSubscription::resume);
    }

    @Override
    public void get(long request) {
        withSubscription(it -> {
            Leadership leadership = host.leading(epoch);
            if (leadership != null) {
                leadership.queue().get(it).thenAccept(remaining -> session.got(this, request, remaining));
            }
        });
    }

    @Override
    public void cancel() {
        withSubscription(LeaderSubscription::cancel);
    }

    @Override
    public void close() {
        withSubscription(it -> {
            subscription = null;
            it.close();
        });
    }

    @Override
    public boolean isRemote() {
        return false;
    }

    // What the leader sees of the subscriber; it hands its deliveries over itself, a batch at a time.

    @Override
    public SerialExecutor executor() {
        return here;
    }

    @Override
    public boolean isWritable() {
        return subscriber.isWritable();
    }

    @Override
    public boolean wantsIds() {
        return wantsIds;
    }

    @Override
    public void identified(long number, long epoch, long index) {
        session.identified(this, number, epoch, index);
    }

    @Override
    public void deliver(long number, Message message, boolean isRedelivered) {
        session.delivered(this, number, message, isRedelivered);
    }

    @Override
    public void cancelled(CancelReason reason) {
        session.cancelled(this, reason);
    }
}
