package io.leveret.node.control;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.model.view.ReplicaView.SyncView;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** What the control API does with the queues that this node leads. Made true by the replication of queues. */
public interface LocalReplicas {
    /** Starts, or goes on with, synchronising the mirrors of a queue. @return false when this node does not lead it */
    CompletionStage<Boolean> synchronise(QueueName queue);

    /** Stops synchronising; what has arrived stays. @return false when this node does not lead the queue */
    CompletionStage<Boolean> cancelSynchronising(QueueName queue);

    /** How the mirrors of a queue are doing, as its leader knows; empty when this node does not lead it. */
    CompletionStage<Map<NodeName, MirrorProgress>> mirrors(QueueName queue);

    /**
     * One mirror.
     *
     * @param behind messages that the leader has and the mirror has not, or null when unknown
     * @param sync a synchronisation under way, or null
     * @param isPaused the synchronisation waits, for the reason given
     */
    record MirrorProgress(
            @Nullable Long behind,
            @Nullable SyncView sync,
            boolean isPaused,
            @Nullable String reason) {}
}
