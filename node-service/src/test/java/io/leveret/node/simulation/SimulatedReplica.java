package io.leveret.node.simulation;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.BodyReader;
import io.leveret.node.broker.queue.DeadLetterSink;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.MemoryBudget;
import io.leveret.node.broker.queue.QueueEnd;
import io.leveret.node.broker.queue.QueueEvent;
import io.leveret.node.broker.queue.QueueLeader;
import io.leveret.node.cluster.replication.ChannelKey;
import io.leveret.node.cluster.replication.HandOver;
import io.leveret.node.cluster.replication.LeaderCore;
import io.leveret.node.cluster.replication.LeaderOutput;
import io.leveret.node.cluster.replication.MessageCopy;
import io.leveret.node.cluster.replication.MirrorSession;
import io.leveret.node.cluster.replication.OriginMessage;
import io.leveret.node.cluster.replication.ReplicaCore;
import io.leveret.node.cluster.replication.ReplicaMessage;
import io.leveret.node.cluster.replication.ReplicaRecord;
import io.leveret.node.cluster.replication.ReplicaRecordCodec;
import io.leveret.node.cluster.replication.ReplicaSet;
import io.leveret.node.cluster.replication.ReplicaState;
import io.leveret.node.cluster.replication.RunSet;
import io.leveret.node.cluster.replication.Seams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One replica on one node, between its start and its crash: the production cores over the simulated disk and network. */
final class SimulatedReplica implements LeaderOutput, BodyReader, QueueEnd {
    final SimulatedNode node;
    final SimulatedDisk.Stream stream;
    final ReplicaState state;

    @Nullable
    ReplicaCore mirror;

    @Nullable
    LeaderCore leader;

    @Nullable
    QueueLeader queue;

    @Nullable
    HandOver handOver;

    /** Who is to lead next. */
    int wanted = ReplicaSet.NOBODY;

    long hello;
    ReplicaSet placement;
    private int appended;
    private final int recovered;
    private final Map<MirrorSession, List<ReplicaRecord.Event>> outgoing = new LinkedHashMap<>();

    SimulatedReplica(SimulatedNode node, SimulatedDisk.Stream stream, ReplicaState state, ReplicaSet placement) {
        this.node = node;
        this.stream = stream;
        this.state = state;
        this.placement = placement;
        this.recovered = node.disk.records(stream).size();
    }

    // ---- roles

    void place(ReplicaSet next) {
        placement = next;
        if (leader != null && (!leader.placement(next) || next.leader() != node.number)) {
            resign();
        }
        if (next.leader() == node.number) {
            if (leader == null && (mirror == null || mirror.epoch() <= next.epoch())) {
                lead(next);
            }
        } else {
            follow(next);
        }
    }

    void resign() {
        if (queue != null) {
            queue.close();
        }
        leader = null;
        queue = null;
        handOver = null;
        wanted = ReplicaSet.NOBODY;
        outgoing.clear();
        node.consumersLost();
    }

    private void lead(ReplicaSet next) {
        if (mirror != null) {
            hello = mirror.hello();
            mirror = null;
        }
        node.cluster.trace(() -> "node " + node.number + " leads " + next.epoch() + ": " + Seams.describe(state));
        IdRuns delivered = HandOver.delivered(state, next);
        LeaderCore core = node.cluster.seams.leader(node.number, state, next, node.cluster.settings(), this);
        leader = core;
        node.cluster.ledger(stream.incarnation()).checkRecovered(node.number, next.epoch(), state);
        queue = new QueueLeader(
                new QueueLeader.Wiring(
                        node.executor,
                        node.executor,
                        state.queue(),
                        event -> append(core, event),
                        this,
                        new MemoryBudget(Long.MAX_VALUE),
                        node.cluster.letters == null
                                ? DeadLetterSink.NONE
                                : node.cluster.letters.sink(this, next.epoch()),
                        new MessageId(next.epoch(), 0),
                        delivered,
                        this),
                node.cluster.queueSettings);
        QueueLeader served = queue;
        handOver = new HandOver(core, served, () -> serve(core, served), node.cluster.handOverTimes());
        core.start();
    }

    @Override
    public void lastConsumerLeft() {
        // queues that go with their last consumer are not simulated
    }

    @Override
    public void expired() {
        throw new IllegalStateException("queues do not expire here");
    }

    private void serve(LeaderCore core, QueueLeader served) {
        if (handOver != null) {
            core.refusePublishes(!handOver.mayPublish());
            if (handOver.mayDeliver()) {
                served.resume();
            } else {
                served.pause();
            }
        }
    }

    /** Placement wants another node to lead. */
    void beginHandOver(int to) {
        if (handOver != null) {
            wanted = to;
            handOver.begin(node.cluster.now(), false);
        }
    }

    private void goOnHandingOver(LeaderCore core) {
        HandOver now = handOver;
        if (now != null && now.isUnderWay()) {
            ReplicaSet.Member to = placement.member(wanted);
            boolean isPossible = to != null && to.isInSync() && to.isLive() && wanted != node.number;
            if (now.advance(node.cluster.now(), isPossible)) {
                node.cluster.coverage.handedOver++;
                node.proposeMove(stream.incarnation(), wanted, core.epoch(), placement.version());
            }
        }
    }

    private MessageId append(LeaderCore core, QueueEvent event) {
        MessageId id = core.append(event);
        node.cluster.trace(() -> "   " + node.number + " appends " + id + " " + event);
        if (event instanceof QueueEvent.Purged purged) {
            node.cluster.ledger(stream.incarnation()).purged(id, purged.ids());
        } else {
            node.cluster.ledger(stream.incarnation()).appended(new ReplicaRecord.Queued(id, event));
        }
        return id;
    }

    private void follow(ReplicaSet next) {
        ReplicaCore core = mirror;
        if (core == null) {
            core = node.cluster.seams.mirror(
                    node.number, new ReplicaMessage.SessionId(node.boot, stream.generation(), hello), state, this);
            mirror = core;
        }
        core.placement(next);
    }

    /** The end of a batch: commits, and what was gathered goes out. */
    void endBatch() {
        LeaderCore core = leader;
        if (core != null) {
            core.advance();
            queue.committed(
                    node.cluster.letters != null && node.cluster.letters.isToldAtOnce ? state.end() : core.durable(),
                    state.end());
            goOnHandingOver(core);
            flushStreams(core);
            node.cluster.ledger(stream.incarnation()).committed(core.epoch(), state, core.committed(), core.durable());
        } else if (mirror != null) {
            hello = mirror.hello();
            mirror.flush();
        }
    }

    private void flushStreams(LeaderCore core) {
        Map<MirrorSession, List<ReplicaRecord.Event>> batch = new LinkedHashMap<>(outgoing);
        outgoing.clear();
        batch.forEach((session, events) -> {
            if (core.sessions().contains(session)) {
                node.send(
                        session.node(),
                        false,
                        stream.incarnation(),
                        new ReplicaMessage.Events(core.epoch(), session.id(), core.committed(), events));
            }
        });
    }

    void received(int from, ReplicaMessage message) {
        if (message instanceof ReplicaMessage.ToLeader toLeader) {
            if (leader != null) {
                leader.received(from, toLeader);
            }
        } else if (message instanceof ReplicaMessage.ToMirror toMirror && mirror != null) {
            mirror.received(from, toMirror);
        }
    }

    void fsynced() {
        int synced = node.disk.synced(stream) - recovered;
        if (synced > 0) {
            state.durable(synced);
        }
    }

    // ---- what every replica does

    @Override
    public void append(ReplicaRecord record) {
        if (leader != null && record instanceof ReplicaRecord.Event event) {
            node.cluster.ledger(stream.incarnation()).appended(event);
        }
        node.cluster.trace(() -> "   " + node.number + " journals " + record);
        int position = node.disk.append(stream, ReplicaRecordCodec.encode(record));
        appended++;
        if (appended != state.appendedCount()) {
            throw new Violation("the core counts " + state.appendedCount() + " records, the journal " + appended);
        }
        MessageCopy copy = ReplicaRecordCodec.copyOf(record);
        if (copy != null) {
            state.queue().live().setPosition(copy.id(), position);
        }
    }

    @Override
    public void released(LiveMessage entry) {}

    @Override
    public void send(int to, ReplicaMessage message) {
        if (leader != null && message instanceof ReplicaMessage.Backfill backfill) {
            node.send(to, true, stream.incarnation(), backfill);
            return;
        }
        if (leader != null && message instanceof ReplicaMessage.ToMirror) {
            // Behind the events that were streamed before.
            flushStreams(leader);
        }
        node.send(to, false, stream.incarnation(), message);
    }

    @Override
    public void readForMerge(ReplicaMessage.SessionId session, RunSet covered, List<LiveMessage> wanted) {
        node.later(this, () -> {
            if (mirror != null) {
                mirror.bodiesRead(session, covered, copies(wanted));
            }
        });
    }

    // ---- what a leader does

    @Override
    public void stream(ReplicaRecord.Event event, List<MirrorSession> sessions) {
        node.cluster.ledger(stream.incarnation()).appended(event);
        sessions.forEach(each ->
                outgoing.computeIfAbsent(each, none -> new ArrayList<>()).add(event));
    }

    @Override
    public void committed(List<MirrorSession> sessions) {
        sessions.forEach(each -> outgoing.computeIfAbsent(each, none -> new ArrayList<>()));
    }

    @Override
    public void readForBackfill(MirrorSession session, List<LiveMessage> wanted) {
        node.later(this, () -> {
            if (leader != null) {
                leader.bodiesRead(session, copies(wanted));
            }
        });
    }

    private List<MessageCopy> copies(List<LiveMessage> wanted) {
        List<MessageCopy> copies = new ArrayList<>();
        for (LiveMessage each : wanted) {
            Message message = each.message() != null ? each.message() : message(each.position());
            copies.add(Seams.copy(each, message));
        }
        return copies;
    }

    private Message message(long position) {
        MessageCopy copy =
                ReplicaRecordCodec.copyOf(ReplicaRecordCodec.decode(ByteBuffer.wrap(node.disk.read(stream, position))));
        return copy.message();
    }

    @Override
    public void read(List<BodyReader.Request> requests, BodyReader.Completion completion) {
        node.later(this, () -> {
            List<@Nullable Message> messages = new ArrayList<>();
            for (BodyReader.Request each : requests) {
                messages.add(message(each.position()));
            }
            completion.completed(messages);
        });
    }

    @Override
    public @Nullable MessageId accept(Message message, @Nullable Origin origin, long floor, boolean isAgain) {
        return queue == null ? null : queue.publish(message, origin, floor, isAgain);
    }

    @Override
    public void settle(IdRuns ids) {
        if (queue != null) {
            queue.settle(ids);
        }
    }

    @Override
    public boolean isDeleted(long otherIncarnation) {
        return false;
    }

    @Override
    public void merged(MessageId id) {
        node.cluster.coverage.merges++;
        if (queue != null) {
            queue.merged(id);
        }
    }

    @Override
    public void answer(ChannelKey channel, long from, long to, boolean isConfirmed) {
        if (isConfirmed) {
            node.cluster.ledger(stream.incarnation()).answering(channel, from, to, placement);
        } else {
            node.cluster.ledger(stream.incarnation()).refusing(channel, from, to);
        }
        node.answer(channel, stream.incarnation(), new OriginMessage.Answered(channel, from, to, isConfirmed));
    }

    @Override
    public void notLeader(ChannelKey channel, long epoch, long session) {
        node.answer(channel, stream.incarnation(), new OriginMessage.NotLeader(channel, epoch, session));
    }

    @Override
    public void pushBack(boolean isFull) {
        node.cluster.coverage.pushBacks++;
    }

    @Override
    public void proposeOpen(long epoch) {
        node.proposeOpen(stream.incarnation(), epoch);
    }

    @Override
    public void proposeJoin(MirrorSession session, long epoch, long version) {
        node.proposeJoin(stream.incarnation(), session, epoch, version);
    }

    @Override
    public void proposeShrink(int mirrorNode, long epoch) {
        node.proposeShrink(stream.incarnation(), mirrorNode, epoch);
    }

    @Override
    public void proposeMergeDone(int mirrorNode, long epoch, long version) {
        node.proposeMergeDone(stream.incarnation(), mirrorNode, epoch, version);
    }

    @Override
    public void mirrorLate(int mirrorNode) {
        node.cluster.coverage.late++;
    }
}
