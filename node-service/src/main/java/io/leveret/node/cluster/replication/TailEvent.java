package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.LiveMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event that is not known to be committed, with all that is needed to undo it. */
final class TailEvent {
    final ReplicaRecord.Event event;
    /** What left the queue by it: an undone event puts it back. */
    List<LiveMessage> removed = List.of();
    /** Ids other than the event's own whose fate became known by it. */
    @Nullable
    RunSet learned;
    /** Published: what {@link Dedupe#accept} returned. */
    long highestBefore;
    /** An entry of {@link Dedupe#noteResent} is to be taken back, to this. */
    @Nullable
    MessageId resentBefore;

    boolean hasResent;
    /** Merged: the message was put in by it, and its origin noted. */
    boolean isMergedIn;

    boolean isOriginAdded;

    TailEvent(ReplicaRecord.Event event) {
        this.event = event;
    }

    void addRemoved(LiveMessage entry) {
        if (removed.isEmpty()) {
            removed = new ArrayList<>(2);
        }
        removed.add(entry);
    }
}
