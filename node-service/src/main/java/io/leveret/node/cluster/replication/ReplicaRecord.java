package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.QueueEvent;
import java.util.List;

/**
 * What happens to a replica. A replica is a function of these records in their order: appended by its leader or taken from
 * it, and read back after a restart. One encoding ({@link ReplicaRecordCodec}) serves the journal, the stream to the
 * mirrors, backfill and recovery.
 *
 * <p>{@link Event}s are numbered by the leader and are the same on every replica; {@link Local} records tell what a replica
 * did to be like its leader.
 */
public sealed interface ReplicaRecord {

    /** What the leader of an epoch decided, in the order of the ids. */
    sealed interface Event extends ReplicaRecord {
        MessageId id();
    }

    /** What one replica did by its leader's word. */
    sealed interface Local extends ReplicaRecord {}

    /** A message came in, or messages left. Not for {@link QueueEvent.Purged}, which needs more: see {@link Purged}. */
    record Queued(MessageId id, QueueEvent event) implements Event {}

    /**
     * The queue was purged. All ids below this one are known from now on, so that purged messages do not come back by merge.
     *
     * @param event what left
     * @param kept what stays, since it is out for delivery: a mirror that lacks one of them still lacks it
     */
    record Purged(MessageId id, QueueEvent.Purged event, RunSet kept) implements Event {}

    /** A message that a lossy promotion had left behind is back, at its old position. */
    record Merged(MessageId id, MessageCopy copy) implements Event {}

    /** Ids that another replica knows to be settled and this leader never saw: they are never to be merged from a third. */
    record Learned(MessageId id, RunSet ids) implements Event {}

    /**
     * Ids on another replica of transient messages that are here under another id. They are known while these are: a restart,
     * which loses the twins, forgets that too. Not journalled.
     */
    record Twins(MessageId id, RunSet ids) implements Event {}

    /**
     * First of a lossy epoch: what dedupe knows of ids older than it is kept, whatever the floors say.
     *
     * @param lossyEpoch the epoch
     */
    record Freeze(MessageId id, long lossyEpoch) implements Event {}

    /** All replicas are in sync and none is abandoned: ends the freeze and forgets which publishes were sent again. */
    record Thaw(MessageId id) implements Event {}

    /**
     * The leader delivers nothing from here on, or does again. Not journalled: it is about the memory of those who are there.
     *
     * @param isBegun false: it delivers again
     * @param since from that epoch on each leader gave way in good order to the next
     * @param isSyncWanted sync_queue was asked for and is not done
     * @param delivered what it has delivered of what is live, or earlier leaders have; may be more than that
     */
    record HandOver(MessageId id, boolean isBegun, long since, boolean isSyncWanted, RunSet delivered)
            implements Event {}

    /** A publish that is in the queue already came again: a twin of it under another id may exist. */
    record Resent(MessageId id, Origin origin, MessageId held) implements Event {}

    /**
     * The channel publishes no more.
     *
     * @param isLost its node was restarted, perhaps with publishes unanswered: they may have been sent to other leaders, too
     */
    record ChannelClosed(MessageId id, ChannelKey channel, boolean isLost) implements Event {}

    /**
     * Dead letters of another queue have left that for good: no copy of them comes again.
     *
     * @param source the incarnation of the queue that they left
     * @param floor all older messages have left it, too
     */
    record LettersSettled(MessageId id, long source, MessageId floor, RunSet letters) implements Event {}

    /**
     * Transient messages are settled by the next event, and these were their publishes: they are in no other record, and
     * their origins may send them again.
     */
    record Passed(List<Publish> publishes) implements Local {
        /** One publish; {@code isResent} when it came more than once. */
        record Publish(Origin origin, MessageId id, boolean isResent) {}
    }

    /** Events after the point were undone, by the leader's word. */
    record Truncated(MessageId point) implements Local {}

    /**
     * The replica is to become like its leader at {@code end}; what it holds is compared from here on. Everything that it
     * had is base: nothing of it will be undone.
     */
    record CutBegun(MessageId end, Ends ends, Dedupe dedupe) implements Local {}

    /**
     * A range of ids was compared with the leader.
     *
     * @param drop held and to be dropped
     * @param known in the range: whose fate the leader knows, but for what is missing here
     */
    record Cut(MessageId from, MessageId to, RunSet drop, RunSet known) implements Local {}

    /** A message that was missing arrived. */
    record Backfilled(MessageCopy copy) implements Local {}
}
