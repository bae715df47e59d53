package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.QueueEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What of a durable queue goes to disk: all but transient messages, and with them what must outlive them. */
final class LastingRecords {
    private LastingRecords() {}

    /** Whether a record is journalled. */
    static boolean isLasting(ReplicaRecord record) {
        if (record instanceof ReplicaRecord.Queued queued && queued.event() instanceof QueueEvent.Published published) {
            return published.message().isPersistent();
        }
        if (record instanceof ReplicaRecord.Merged merged) {
            return merged.copy().message().isPersistent();
        }
        if (record instanceof ReplicaRecord.Backfilled backfilled) {
            return backfilled.copy().message().isPersistent();
        }
        return !(record instanceof ReplicaRecord.Twins || record instanceof ReplicaRecord.HandOver);
    }

    /**
     * An event settled transient messages, whose publishes are in no record. Where these may come again, that must outlive a
     * restart with the settle: else the copy would be taken for new, and be delivered after its ack.
     *
     * @return what is to be journalled before the event, or null
     */
    static ReplicaRecord.@Nullable Passed passed(TailEvent event, Dedupe dedupe) {
        List<ReplicaRecord.Passed.Publish> passed = new ArrayList<>();
        for (LiveMessage each : event.removed) {
            Message message = each.message();
            Origin origin = message == null || each.isPersistent() ? null : message.origin();
            if (origin != null) {
                boolean isResent = each.id().equals(dedupe.resent(origin));
                if (isResent || each.id().equals(dedupe.held(origin))) {
                    passed.add(new ReplicaRecord.Passed.Publish(origin, each.id(), isResent));
                }
            }
        }
        return passed.isEmpty() ? null : new ReplicaRecord.Passed(passed);
    }

    /** Ids from..to that are known now and must not be after a restart: live transient messages, and what is known by them. */
    static RunSet fleetingIds(ReplicaState state, MessageId from, MessageId to) {
        RunSet ids = new RunSet();
        if (state.queue().live().persistentCount() < state.queue().live().count()) {
            state.queue().live().forEach(entry -> {
                boolean isInside = entry.id().compareTo(from) >= 0 && entry.id().compareTo(to) <= 0;
                if (isInside && !entry.isPersistent()) {
                    ids.add(entry.id());
                }
            });
        }
        ids.addAll(state.fleeting().within(from, to));
        return ids;
    }
}
