package io.leveret.node.cluster.replication;

import io.leveret.node.broker.queue.LiveMessage;
import java.util.List;

/** What every replica does to the world. Called on the queue's executor; nothing here waits. */
public interface ReplicaOutput {
    /**
     * Puts a record into the journal, behind all that this replica appended before. The core counts the calls: {@link
     * ReplicaState#durable} takes the number of records that are on disk. Not called for queues that are not durable, nor
     * for transient messages. The position of a message goes to the state's live messages.
     */
    void append(ReplicaRecord record);

    /** A message is gone for good, here: its record need not be kept. */
    void released(LiveMessage entry);

    /** Sends a message to another replica, behind all that was sent to it before. */
    void send(int node, ReplicaMessage message);

    /** Reads messages that the leader wants for merge-back, and gives them to {@link ReplicaCore#bodiesRead}, now or later. */
    default void readForMerge(ReplicaMessage.SessionId session, RunSet covered, List<LiveMessage> wanted) {
        throw new IllegalStateException("a leader merges, it is not merged");
    }
}
