package io.leveret.node.broker.vhost;

import io.leveret.node.broker.message.Message;
import io.leveret.node.runtime.SerialExecutor;

/** A channel that awaits answers to its requests. */
public interface ReplyConsumer {
    SerialExecutor executor();

    /** One answer. On the executor. May drop it when the client does not take what it is sent. */
    void deliver(Message message);
}
