package io.leveret.node.amqp.server;

import io.leveret.node.broker.message.Message;
import io.leveret.node.runtime.SerialExecutor;
import org.jspecify.annotations.Nullable;

/** The passive subscription behind the basic.get of one channel on one queue. Holds the one message that was asked for. */
final class GetSession extends DeliverySession {
    private final boolean isNoAck;
    private final Runnable whenCancelled;

    @Nullable
    private Got got;

    GetSession(SerialExecutor executor, boolean isNoAck, Runnable whenCancelled) {
        super(executor);
        this.isNoAck = isNoAck;
        this.whenCancelled = whenCancelled;
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
