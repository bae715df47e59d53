package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.QueueEvent;
import io.leveret.node.cluster.replication.ReplicaMessage.SessionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A leader on node 1 with what it said; the test plays mirrors, journal, metadata and origins. */
final class LeaderFixture implements LeaderOutput {
    static final ChannelKey CHANNEL = new ChannelKey(9, 1, 1);
    static final long DEADLINE = 1000;

    final ReplicaState state = new ReplicaState(true);
    /** Everything but messages to mirrors, in words. */
    final List<String> log = new ArrayList<>();

    final List<ReplicaMessage> sent = new ArrayList<>();
    final List<List<LiveMessage>> reads = new ArrayList<>();
    final LeaderCore core;
    final Set<Long> deletedQueues = new HashSet<>();
    private ReplicaSet placement;
    private long appended;

    LeaderFixture(LeaderSettings settings, Rules rules, Integer... inSync) {
        this(settings, rules, List.of(), inSync);
    }

    /** @param inherited what the replica holds from earlier epochs */
    LeaderFixture(LeaderSettings settings, Rules rules, List<ReplicaRecord.Event> inherited, Integer... inSync) {
        inherited.forEach(state::apply);
        placement = new ReplicaSet(
                1,
                5,
                1,
                1,
                true,
                0,
                IntStream.rangeClosed(1, 3)
                        .mapToObj(node -> new ReplicaSet.Member(
                                node, 1, true, 1, node == 1 || List.of(inSync).contains(node), false))
                        .toList(),
                Map.of(1, 1L, 2, 1L, 3, 1L, 9, 1L));
        core = new LeaderCore(1, state, placement, settings, this, rules);
        core.start();
        core.received(new OriginMessage.Open(CHANNEL, 5, 1));
    }

    static LeaderSettings manualSync() {
        return new LeaderSettings(1, false, 2, 1 << 20, DEADLINE, 1 << 16, 1 << 20);
    }

    static LeaderSettings settings(int inSyncMin, int tailEventsMax) {
        return new LeaderSettings(inSyncMin, true, 2, 1 << 20, DEADLINE, tailEventsMax, 1 << 20);
    }

    List<String> taken() {
        List<String> all = List.copyOf(log);
        log.clear();
        return all;
    }

    void settle(long number, IdRuns ids) {
        core.received(new OriginMessage.Settle(CHANNEL, 5, 1, number, ids));
    }

    void publish(long number, boolean isPersistent) {
        Message message = new Message("x", "q", new byte[2], new byte[10], isPersistent);
        core.received(new OriginMessage.Publish(CHANNEL, 5, 1, number, 1, 0, message));
    }

    MessageId settle(long index) {
        return core.append(new QueueEvent.Settled(IdRuns.range(5, index, index), QueueEvent.Reason.ACKED));
    }

    void fsync() {
        state.durable(appended);
        core.advance();
    }

    void hello(int node, long number, MessageId baseEnd) {
        Ends ends = new Ends();
        if (baseEnd.index() > 0) {
            ends.set(baseEnd.epoch(), baseEnd.index());
        }
        core.received(node, new ReplicaMessage.Hello(5, session(number), ends, baseEnd, new RunSet()));
    }

    static SessionId session(long hello) {
        return new SessionId(1, 1, hello);
    }

    void answer(int node, long hello, long received, long durable, long controls, long durableControls) {
        core.received(
                node,
                new ReplicaMessage.Answer(
                        5,
                        session(hello),
                        new MessageId(received == 0 ? 0 : 5, received),
                        new MessageId(durable == 0 ? 0 : 5, durable),
                        controls,
                        durableControls));
        core.advance();
    }

    /** The mirror shows that it holds nothing. */
    void heldNothing(int node, long hello, MessageId to) {
        core.received(node, new ReplicaMessage.Held(5, session(hello), MessageId.ZERO, to, new RunSet(), new RunSet()));
        core.advance();
    }

    void apply(ReplicaSet next) {
        placement = next;
        core.placement(next);
        core.advance();
    }

    @Override
    public void append(ReplicaRecord record) {
        appended++;
    }

    @Override
    public void released(LiveMessage entry) {
        log.add("released " + entry.id());
    }

    @Override
    public void send(int node, ReplicaMessage message) {
        sent.add(message);
    }

    @Override
    public void stream(ReplicaRecord.Event event, List<MirrorSession> sessions) {
        sessions.forEach(each -> log.add(each.node() + " gets " + event.id()));
    }

    @Override
    public void committed(List<MirrorSession> sessions) {}

    @Override
    public void readForBackfill(MirrorSession session, List<LiveMessage> wanted) {
        reads.add(wanted);
    }

    @Override
    public void settle(IdRuns ids) {
        IdRuns held = state.queue().live().runs();
        IdRuns.Builder gone = new IdRuns.Builder();
        for (int run = 0; run < ids.count(); run++) {
            for (long index = ids.first(run); index <= ids.last(run); index++) {
                if (held.contains(new MessageId(ids.epoch(run), index))) {
                    gone.add(ids.epoch(run), index);
                }
            }
        }
        if (!gone.isEmpty()) {
            core.append(new QueueEvent.Settled(gone.build(), QueueEvent.Reason.ACKED));
        }
    }

    @Override
    public @Nullable MessageId accept(Message message, @Nullable Origin origin, long floor, boolean isAgain) {
        return core.append(new QueueEvent.Published(message, origin, floor, isAgain));
    }

    @Override
    public boolean isDeleted(long otherIncarnation) {
        return deletedQueues.contains(otherIncarnation);
    }

    @Override
    public void merged(MessageId id) {}

    @Override
    public void answer(ChannelKey channel, long from, long to, boolean isConfirmed) {
        log.add((isConfirmed ? "ack " : "nack ") + from + ".." + to);
    }

    @Override
    public void notLeader(ChannelKey channel, long epoch, long session) {
        log.add("not leader " + session);
    }

    @Override
    public void pushBack(boolean isFull) {
        log.add(isFull ? "full" : "room");
    }

    @Override
    public void proposeOpen(long epoch) {
        log.add("open " + epoch);
    }

    @Override
    public void proposeJoin(MirrorSession session, long epoch, long version) {
        log.add("join " + session.node());
    }

    @Override
    public void proposeShrink(int node, long epoch) {
        log.add("shrink " + node);
    }

    @Override
    public void proposeMergeDone(int node, long epoch, long version) {
        log.add("merged " + node);
    }

    @Override
    public void mirrorLate(int node) {}
}
