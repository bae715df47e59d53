package io.leveret.node.cluster.replication;

/** What an {@link OriginCore} does to the world. Called on the executor of its channel; nothing here waits. */
public interface OriginOutput {
    /** Sends to the node that leads, which may be this one, behind all that was sent before. */
    void send(int leader, OriginMessage.ToLeader message);

    /** The queue's one answer to a publish. */
    void answered(long number, boolean isConfirmed);

    /** The channel closed and everything it published is answered: the origin may be forgotten. */
    void finished();
}
