package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LiveMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a {@link LeaderCore} does to the world. Called on the queue's executor; nothing here waits. */
public interface LeaderOutput extends ReplicaOutput {
    /**
     * Sends an event to mirrors, behind all that was sent to them before. Events of a batch may be gathered: they travel as
     * {@link ReplicaMessage.Events} of the session, with {@link LeaderCore#committed()} as it is when they leave.
     */
    void stream(ReplicaRecord.Event event, List<MirrorSession> sessions);

    /** Everything is committed up to {@link LeaderCore#committed()}: tell it to the mirrors soon, with events or alone. */
    void committed(List<MirrorSession> sessions);

    /**
     * Reads messages of the queue to be sent to a mirror, in this order, and gives them to {@link LeaderCore#bodiesRead}
     * once, now or later. Alarms and the bytes/s cap of synchronisation may delay it.
     */
    void readForBackfill(MirrorSession session, List<LiveMessage> wanted);

    /** A publish passed dedupe: limits, then {@link LeaderCore#append}. @return its id, or null when the queue refuses it */
    @Nullable
    MessageId accept(Message message, @Nullable Origin origin, long floor, boolean isAgain);

    /** A transaction acks: {@link LeaderCore#append} for what is held of the ids, and for all that was settled before. */
    void settle(IdRuns ids);

    /** Whether there was a queue of this incarnation, and is no more. */
    boolean isDeleted(long otherIncarnation);

    /** An older message is in the queue again: it is ready. */
    void merged(MessageId id);

    /** Answers publishes of a channel: all that this queue has not answered of from..to. */
    void answer(ChannelKey channel, long from, long to, boolean isConfirmed);

    /** Tells an origin to begin its session again. */
    void notLeader(ChannelKey channel, long epoch, long session);

    /** The tail of uncommitted events reached its bound, or has left it: publishers of this queue wait meanwhile. */
    void pushBack(boolean isFull);

    void proposeOpen(long epoch);

    void proposeJoin(MirrorSession session, long epoch, long version);

    void proposeShrink(int node, long epoch);

    void proposeMergeDone(int node, long epoch, long version);

    /** A member stopped to answer in time and is being taken out of the in-sync set: for the log and the statistics. */
    void mirrorLate(int node);
}
