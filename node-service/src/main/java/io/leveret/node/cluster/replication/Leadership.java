package io.leveret.node.cluster.replication;

import io.leveret.model.NodeName;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LetterSource;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.LiveMessages;
import io.leveret.node.broker.queue.QueueEnd;
import io.leveret.node.broker.queue.QueueLeader;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.ClusterImage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One leadership of one queue on this node: a {@link LeaderCore} for the log and its mirrors, and a {@link QueueLeader} for
 * publishers and consumers, joined. It lives from the metadata that says so to the metadata that ends it. Owned by the queue's
 * executor.
 */
public final class Leadership implements LeaderOutput, QueueEnd {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

    private final QueueHost host;
    private final ReplicaContext context;
    private final ReplicaDisk disk;
    private final LeaderCore core;
    private final QueueLeader queue;
    private final MirrorStreams streams;
    private final BackfillReader backfill;
    private final HandOver handOver;
    private final LostBodies lost;

    /** How fast mirrors are synchronised, by their numbers; for those who look. */
    private final Map<Integer, SyncPace> paces = new HashMap<>();

    private boolean isPaused;
    private boolean isEnding;

    Leadership(QueueHost host, ReplicaContext context, ReplicaState state, ReplicaSet placement, QueuePolicy policy) {
        this.host = host;
        this.context = context;
        this.disk = host.disk();
        this.streams = new MirrorStreams(host);
        this.backfill = new BackfillReader(host, context);
        MessageId inherited = state.end();
        this.core = new LeaderCore(context.self(), state, placement, policy.replication(), this);
        this.queue = new QueueLeader(
                new QueueLeader.Wiring(
                        host.executor(),
                        context.clock,
                        state.queue(),
                        core,
                        disk,
                        context.budget,
                        context.deadLetters()
                                .sinkOf(
                                        host.name(),
                                        new LetterSource(host.incarnation(), placement.epoch()),
                                        host.executor()),
                        inherited,
                        HandOver.delivered(state, placement),
                        this),
                policy.queue());
        this.lost = new LostBodies(host, context, core, this);
        this.handOver = new HandOver(core, queue, this::serve, HandOver.USUAL);
    }

    void start() {
        core.start();
        queue.start();
    }

    public long epoch() {
        return core.epoch();
    }

    /** The queue for its consumers. */
    public QueueLeader queue() {
        return queue;
    }

    LeaderCore core() {
        return core;
    }

    BackfillReader backfill() {
        return backfill;
    }

    /** Policy, arguments or configuration changed. */
    void configure(QueuePolicy policy) {
        core.configure(policy.replication());
        queue.configure(policy.queue());
    }

    /** The batch ends: looks what is committed, answers, and lets the mirrors have their events. */
    void endOfBatch() {
        core.advance();
        queue.committed(core.durable(), core.state().end());
        if (!streams.isEmpty()) {
            streams.flush(core);
        }
    }

    ReplicationStatus status() {
        List<ReplicationStatus.Mirror> mirrors = new ArrayList<>();
        for (MirrorSession each : core.sessions()) {
            NodeName node = context.numbers().name(each.node());
            if (node != null) {
                mirrors.add(mirror(each, node));
            }
        }
        ReplicaState state = host.state();
        return new ReplicationStatus(
                context.store.localNode(), core.epoch(), state.queue().live().count(), state.tailEvents(), mirrors);
    }

    private ReplicationStatus.Mirror mirror(MirrorSession session, NodeName node) {
        long missing = session.missingCount();
        LiveMessages live = host.state().queue().live();
        long bodyBytes = live.bytes() / Math.max(1, live.count());
        if (!session.isSynchronising) {
            paces.remove(session.node());
            return new ReplicationStatus.Mirror(node, missing, false, 0, 0);
        }
        SyncPace pace = paces.computeIfAbsent(session.node(), key -> new SyncPace());
        long perSecond = pace.look(context.clock.nanoTime(), missing);
        return new ReplicationStatus.Mirror(node, missing, true, missing * bodyBytes, perSecond * bodyBytes);
    }

    /** The node has no majority, or has it again. */
    void pause(boolean isPausedNow) {
        isPaused = isPausedNow;
        serve();
    }

    private void serve() {
        core.refusePublishes(isPaused || !handOver.mayPublish());
        if (isPaused || !handOver.mayDeliver()) {
            queue.pause();
        } else {
            queue.resume();
        }
    }

    HandOver handOver() {
        return handOver;
    }

    /** Messages that the disk has lost and that are to be delivered. */
    LostBodies lost() {
        return lost;
    }

    void end() {
        lost.close();
        queue.close();
        backfill.close();
    }

    /** The queue is deleted unless another leader comes first. */
    public boolean isEnding() {
        return isEnding;
    }

    @Override
    public void lastConsumerLeft() {
        if (host.isAutoDelete()) {
            isEnding = true;
            context.proposals.delete(host.incarnation(), core.epoch());
        }
    }

    @Override
    public void expired() {
        LOG.info("queue {} was unused for as long as it may be, and is deleted", host.name());
        context.proposals.expire(host.incarnation(), core.epoch());
    }

    // ---- what the core asks for

    @Override
    public void append(ReplicaRecord record) {
        disk.append(record);
    }

    @Override
    public void released(LiveMessage entry) {
        disk.released(entry);
    }

    @Override
    public void send(int node, ReplicaMessage message) {
        streams.flush(node, core);
        host.send(node, message);
    }

    @Override
    public void stream(ReplicaRecord.Event event, List<MirrorSession> sessions) {
        streams.add(event, disk.head(event), sessions, core);
        host.planEndOfBatch();
    }

    @Override
    public void committed(List<MirrorSession> sessions) {
        streams.touch(sessions);
        host.planEndOfBatch();
    }

    @Override
    public void readForBackfill(MirrorSession session, List<LiveMessage> wanted) {
        backfill.read(session, wanted, copies -> {
            core.bodiesRead(session, copies);
            host.planEndOfBatch();
        });
    }

    @Override
    public @Nullable MessageId accept(Message message, @Nullable Origin origin, long floor, boolean isAgain) {
        return queue.publish(message, origin, floor, isAgain);
    }

    @Override
    public void settle(IdRuns ids) {
        queue.settle(ids);
    }

    @Override
    public boolean isDeleted(long otherIncarnation) {
        ClusterImage image = context.store.cluster();
        return image.placement(otherIncarnation) == null && otherIncarnation <= image.index();
    }

    @Override
    public void merged(MessageId id) {
        queue.merged(id);
    }

    @Override
    public void answer(ChannelKey channel, long from, long to, boolean isConfirmed) {
        context.origins()
                .toOrigin(
                        host.incarnation(),
                        host.executor(),
                        new OriginMessage.Answered(channel, from, to, isConfirmed));
    }

    @Override
    public void notLeader(ChannelKey channel, long epoch, long session) {
        host.refuse(channel, epoch, session);
    }

    @Override
    public void pushBack(boolean isFull) {
        // What origins may have unanswered is bounded, and nothing is answered before it is committed: they wait by
        // themselves.
        LOG.debug("queue {}: uncommitted events {} their bound", host.name(), isFull ? "reached" : "left");
    }

    @Override
    public void proposeOpen(long epoch) {
        context.proposals.open(host.incarnation(), epoch);
    }

    @Override
    public void proposeJoin(MirrorSession session, long epoch, long version) {
        NodeName node = context.numbers().name(session.node());
        if (node != null) {
            context.proposals.join(new ClusterCommand.Join.Step(
                    host.incarnation(),
                    node,
                    epoch,
                    version,
                    session.id().boot(),
                    session.id().generation()));
        }
    }

    @Override
    public void proposeShrink(int node, long epoch) {
        NodeName name = context.numbers().name(node);
        if (name != null) {
            context.proposals.shrink(host.incarnation(), name, epoch);
        }
    }

    @Override
    public void proposeMergeDone(int node, long epoch, long version) {
        NodeName name = context.numbers().name(node);
        if (name != null) {
            context.proposals.mergeDone(host.incarnation(), name, epoch, version);
        }
    }

    @Override
    public void mirrorLate(int node) {
        LOG.warn(
                "queue {}: the mirror on {} does not answer in time and leaves the in-sync set",
                host.name(),
                context.numbers().name(node));
    }
}
