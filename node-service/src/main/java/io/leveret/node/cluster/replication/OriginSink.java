package io.leveret.node.cluster.replication;

import io.leveret.node.runtime.SerialExecutor;

/** Brings what a leader of this node says to the origin of a channel, on this node or another. */
@FunctionalInterface
public interface OriginSink {
    /** @param from the queue's executor, which is calling */
    void toOrigin(long incarnation, SerialExecutor from, OriginMessage.ToOrigin message);
}
