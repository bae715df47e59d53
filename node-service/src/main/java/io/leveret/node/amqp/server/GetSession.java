package io.leveret.node.amqp.server;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.runtime.SerialExecutor;
import org.jspecify.annotations.Nullable;

/** The passive subscription behind the basic.get of one channel on one queue. Holds the one message that was asked for. */
final class GetSession extends DeliverySession {
    private final ChannelConsumers channel;
    private final QueueHandle queue;
    private final boolean isNoAck;
    private final Runnable whenCancelled;

    @Nullable
    private Got got;

    GetSession(
            ChannelConsumers channel,
            SerialExecutor executor,
            QueueHandle queue,
            boolean isNoAck,
            Runnable whenCancelled) {
        super(executor);
        this.channel = channel;
        this.queue = queue;
        this.isNoAck = isNoAck;
        this.whenCancelled = whenCancelled;
    }

    @Override
    QueueHandle queue() {
        return queue;
    }

    @Override
    public boolean wantsIds() {
        return channel.isTransactional();
    }

    boolean isNoAck() {
        return isNoAck;
    }

    /** Answers are always welcome: there is one for each request. */
    @Override
    public boolean isWritable() {
        return true;
    }

    @Override
    public void deliver(long number, Message message, boolean isRedelivered) {
        got = new Got(number, message, isRedelivered);
    }

    @Override
    public void cancelled(CancelReason reason) {
        whenCancelled.run();
    }

    /** The message that came, once. */
    @Nullable
    Got take() {
        Got taken = got;
        got = null;
        return taken;
    }

    /** A delivery. */
    record Got(long number, Message message, boolean isRedelivered) {}
}
