package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.QueueEvent;
import io.leveret.node.broker.queue.QueueLog;
import io.leveret.node.cluster.replication.ReplicaRecord.Event;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The leader of one queue in one epoch (PROTOCOL.md §4 to §8): numbers the events, knows which publishes are copies, decides
 * what is committed, and makes the mirrors like itself.
 *
 * <pre>
 * start ──► not opened: appends, streams, commits nothing ──Open applied──► opened: commits ──higher epoch applied──► over
 *
 * publish ──► duplicate? ──no──► {@link LeaderOutput#accept} ──► append ──► journal, mirrors
 *                │yes                                               │
 *                └──────────────► waits for a point of the log ◄────┘
 * answers of mirrors, durable ──► {@link #advance()} ──► committed ──► answers to origins
 * </pre>
 *
 * Owned by the queue's executor. After a batch of inputs, whatever they were, call {@link #advance()} once. No clock: times
 * come with {@link #tick}. Bounds: the tail (its pressure goes to the publishers), one comparison and one backfill for each
 * mirror at a time.
 */
public final class LeaderCore implements QueueLog {
    private final int self;
    private final long epoch;
    /** From that epoch on each leader gave way in good order to the next, up to this one. */
    private final long orderlySince;

    private final Arrivals arrivals;
    private final ReplicaState state;
    private final LeaderOutput output;
    private final Rules rules;
    private final InSyncSet inSync;
    private final Reconciliation mirrors;
    private final PendingAnswers byReceived = new PendingAnswers();
    private final PendingAnswers byDurable = new PendingAnswers();
    private final Map<ChannelKey, OriginChannel> origins = new HashMap<>();
    private final LetterSources sources;
    private final Consumer<LiveMessage> released;
    private final Consumer<Event> onCommitted;

    private LeaderSettings settings;
    private @Nullable OriginChannel latest;
    private long index;
    private MessageId committed = MessageId.ZERO;
    private MessageId durable = MessageId.ZERO;
    private boolean isFull;
    private boolean isRefusing;

    /**
     * @param self the number of this node
     * @param state this node's replica, which this core owns while it leads
     * @param placement metadata in which this node leads an epoch that the replica has not led before
     */
    public LeaderCore(
            int self, ReplicaState state, ReplicaSet placement, LeaderSettings settings, LeaderOutput output) {
        this(self, state, placement, settings, output, Rules.ALL);
    }

    LeaderCore(
            int self,
            ReplicaState state,
            ReplicaSet placement,
            LeaderSettings settings,
            LeaderOutput output,
            Rules rules) {
        this.self = self;
        this.epoch = placement.epoch();
        this.orderlySince = HandOver.since(state, placement);
        this.state = state;
        this.settings = settings;
        this.output = output;
        this.rules = rules;
        this.arrivals = new Arrivals(this, state, output, orderlySince);
        this.inSync = new InSyncSet(self, placement, rules);
        this.mirrors = new Reconciliation(this, state, inSync, output, rules);
        this.sources = new LetterSources(this, output);
        this.released = output::released;
        this.onCommitted = mirrors::committed;
    }

    /** The first thing to call, once {@link LeaderOutput#accept} can work. */
    public void start() {
        if (state.end().epoch() >= epoch) {
            throw new IllegalStateException("epoch " + epoch + " was led before: " + state.end());
        }
        ReplicaSet placement = inSync.placement();
        if (!rules.has(Rule.OLD_ANSWERS_ARE_VOID)) {
            committed = state.end();
            durable = state.end();
        }
        if (placement.hasAbandoned() && state.dedupe().frozenEpoch() < placement.lossyEpoch()) {
            RunSet twins = state.dedupe().twins(state.known(), state.queue().live()::contains);
            put(new ReplicaRecord.Freeze(nextId(), placement.lossyEpoch()));
            if (!twins.isEmpty()) {
                settleDuplicates(twins);
            }
        }
        closeFormerChannels();
        if (!placement.isOpened()) {
            output.proposeOpen(epoch);
        }
        advance();
    }

    public long epoch() {
        return epoch;
    }

    /** Everything up to here is committed: every needed replica has received it. */
    public MessageId committed() {
        return committed;
    }

    /** Everything up to here is on the disk of every needed replica. */
    public MessageId durable() {
        return durable;
    }

    /** Whether nothing waits for a commit: a clean stop or a planned move may go on. */
    public boolean isQuiet() {
        return committed.equals(state.end()) && durable.equals(state.end());
    }

    ReplicaState state() {
        return state;
    }

    Rules rules() {
        return rules;
    }

    LeaderSettings settings() {
        return settings;
    }

    // ---- events

    @Override
    public MessageId append(QueueEvent event) {
        MessageId id = nextId();
        if (event instanceof QueueEvent.Purged purged) {
            RunSet kept = state.liveIds(MessageId.ZERO, id).minus(RunSet.of(purged.ids()));
            put(new ReplicaRecord.Purged(id, purged, kept));
        } else {
            put(new ReplicaRecord.Queued(id, event));
        }
        return id;
    }

    MessageId nextId() {
        return new MessageId(epoch, ++index);
    }

    void put(Event event) {
        MessageId before = state.end();
        state.apply(event);
        state.journal(event, before, output);
        List<MirrorSession> streams = inSync.streams();
        if (!streams.isEmpty()) {
            output.stream(event, streams);
        }
        if (!isFull && isTailFull(1)) {
            isFull = true;
            output.pushBack(true);
        }
    }

    private boolean isTailFull(int part) {
        return state.tailEvents() >= settings.tailEventsMax() / part
                || state.tailBytes() >= settings.tailBytesMax() / part;
    }

    /** Ids that another replica knows to be settled are settled here, too. */
    void settleElsewhere(RunSet ids) {
        append(new QueueEvent.Settled(ids.toIdRuns(), QueueEvent.Reason.SETTLED_ELSEWHERE));
    }

    void settleDuplicates(RunSet ids) {
        append(new QueueEvent.Settled(ids.toIdRuns(), QueueEvent.Reason.DUPLICATE));
    }

    // ---- origins

    /** From an origin, on this node or another. */
    public void received(OriginMessage.ToLeader message) {
        if (message.epoch() != epoch) {
            output.notLeader(message.channel(), message.epoch(), message.session());
        } else if (isRefusing) {
            refuse(message);
        } else if (message instanceof OriginMessage.Publish publish) {
            publish(publish);
        } else if (message instanceof OriginMessage.Open open) {
            open(open);
        } else if (message instanceof OriginMessage.Settle settle) {
            settle(settle);
        } else if (message instanceof OriginMessage.Close close) {
            close(close);
        } else if (message instanceof OriginMessage.LettersSettled settled) {
            if (channel(settled.channel(), settled.session()) != null) {
                sources.settled(settled);
            }
        }
    }

    /** Also ends the session: what follows in it must not be taken when this was not. */
    private void refuse(OriginMessage.ToLeader message) {
        ChannelKey key = message.channel();
        OriginChannel channel = origins.get(key);
        if (channel != null && channel.session == message.session()) {
            channel.session = OriginChannel.NONE;
        }
        output.notLeader(key, message.epoch(), message.session());
    }

    private void open(OriginMessage.Open open) {
        if (isOfFormerBoot(open.channel())) {
            return;
        }
        if (open.source() != 0) {
            latest = null;
            if (rules.has(Rule.FORMER_SOURCES_ARE_REFUSED) && !sources.admit(open, origins)) {
                return;
            }
        }
        OriginChannel channel = origins.computeIfAbsent(open.channel(), OriginChannel::new);
        if (open.session() > channel.session) {
            channel.session = open.session();
            channel.lastArrived = 0;
            channel.source = open.source();
            channel.sourceEpoch = open.sourceEpoch();
        }
    }

    private @Nullable OriginChannel channel(ChannelKey key, long session) {
        OriginChannel channel = latest;
        if (channel == null || !channel.key.equals(key)) {
            channel = origins.get(key);
            latest = channel;
        }
        if (!rules.has(Rule.PUBLISH_NEEDS_SESSION)) {
            channel = origins.computeIfAbsent(key, OriginChannel::new);
            channel.session = session;
        }
        return channel != null && channel.session == session ? channel : null;
    }

    private void publish(OriginMessage.Publish publish) {
        ChannelKey key = publish.channel();
        OriginChannel channel = channel(key, publish.session());
        if (channel == null) {
            refuse(publish);
            return;
        }
        long number = publish.number();
        long before = channel.lastArrived;
        channel.lastArrived = number;
        boolean isPersistent = publish.message().isPersistent() && state.isDurable();
        MessageId point = arrivals.take(publish, channel);
        if (point == null) {
            output.answer(key, number, number, false);
        } else if (isPersistent && rules.has(Rule.PERSISTENT_WAITS_FOR_DISK)) {
            byDurable.add(point, channel, number, before);
        } else {
            byReceived.add(point, channel, number, before);
        }
    }

    /** Acks of a transaction. */
    private void settle(OriginMessage.Settle settle) {
        OriginChannel channel = channel(settle.channel(), settle.session());
        if (channel == null) {
            refuse(settle);
            return;
        }
        long before = channel.lastArrived;
        channel.lastArrived = settle.number();
        boolean isKnown = mayConfirm(RunSet.of(settle.ids()));
        output.settle(settle.ids());
        if (!isKnown && rules.has(Rule.TX_ACKS_OF_UNKNOWN_ARE_REFUSED)) {
            output.answer(channel.key, settle.number(), settle.number(), false);
        } else if (rules.has(Rule.TX_ACKS_WAIT_FOR_DISK)) {
            byDurable.add(state.end(), channel, settle.number(), before);
        } else {
            output.answer(channel.key, settle.number(), settle.number(), true);
        }
    }

    /**
     * Whether these messages are gone when they are settled here. One that was in this leader's log and is not held is
     * settled. One that it does not know, or knows by hearsay alone (another replica said so, or a purge was later), may be a
     * publish that was not committed there, which is sent again and comes under another id.
     */
    private boolean mayConfirm(RunSet ids) {
        boolean[] isSure = {
            ids.minus(state.known()).isEmpty()
                    && ids.intersection(state.dedupe().copies()).isEmpty()
        };
        ids.forEachRun((fromEpoch, fromIndex, toEpoch, toIndex) -> {
            MessageId from =
                    new MessageId(fromEpoch, Math.max(fromIndex, state.ends().of(fromEpoch) + 1));
            MessageId to = new MessageId(toEpoch, toIndex);
            if (from.compareTo(to) <= 0) {
                isSure[0] &=
                        RunSet.range(from, to).minus(state.liveIds(from, to)).isEmpty();
            }
        });
        return isSure[0];
    }

    private void close(OriginMessage.Close close) {
        OriginChannel channel = channel(close.channel(), close.session());
        if (channel == null) {
            refuse(close);
            return;
        }
        DedupeChannel table = state.dedupe().channel(close.channel());
        if (table != null && !table.isClosed) {
            put(new ReplicaRecord.ChannelClosed(nextId(), close.channel(), false));
        }
        byReceived.add(state.end(), channel, close.number(), channel.lastArrived);
        channel.lastArrived = close.number();
        origins.remove(channel.key);
        latest = null;
    }

    /** A node that started anew never sends again what its former boot published. */
    private void closeFormerChannels() {
        origins.keySet().removeIf(this::isOfFormerBoot);
        latest = null;
        List<ChannelKey> former = new ArrayList<>();
        state.dedupe().forEachOpen(key -> {
            if (isOfFormerBoot(key)) {
                former.add(key);
            }
        });
        former.forEach(key -> put(new ReplicaRecord.ChannelClosed(nextId(), key, true)));
    }

    private boolean isOfFormerBoot(ChannelKey key) {
        return inSync.placement().boots().getOrDefault(key.node(), 0L) > key.boot();
    }

    // ---- metadata and time

    /**
     * Newer metadata of the queue.
     *
     * @return false when this leadership is over: the core is not to be used any more
     */
    public boolean placement(ReplicaSet next) {
        if (next.epoch() > epoch || next.leader() != self) {
            return false;
        }
        boolean hasNewBoots = !next.boots().equals(inSync.placement().boots());
        inSync.placement(next);
        if (hasNewBoots) {
            closeFormerChannels();
        }
        return true;
    }

    /** Policy or configuration changed. */
    public void configure(LeaderSettings next) {
        mirrors.syncModeChanged(settings.isSyncAutomatic(), next.isSyncAutomatic());
        settings = next;
    }

    /** Time passes: some ten times within the mirror deadline. */
    public void tick(long nowNanos) {
        ReplicaSet placement = inSync.placement();
        if (!placement.isOpened()) {
            output.proposeOpen(epoch);
        }
        inSync.sample(nowNanos, state.end(), settings.mirrorDeadlineNanos());
        boolean isWaiting = state.tailEvents() > 0 || !byDurable.isEmpty() || !byReceived.isEmpty();
        for (ReplicaSet.Member each : placement.members()) {
            if (each.node() != self
                    && each.isInSync()
                    && inSync.isLate(each.node(), nowNanos, settings.mirrorDeadlineNanos(), isWaiting)) {
                output.mirrorLate(each.node());
                output.proposeShrink(each.node(), epoch);
                inSync.shrinkProposed(each.node());
            }
        }
        mirrors.tick();
        mirrors.thaw();
        sources.forgetDeleted();
        advance();
    }

    /** Appends what this leader has delivered up to now; or, if not begun, that it will again when this is committed. */
    MessageId handOver(boolean isBegun, RunSet delivered) {
        MessageId id = nextId();
        put(new ReplicaRecord.HandOver(id, isBegun, orderlySince, mirrors.isSyncWanted(), delivered));
        return id;
    }

    /** New publishes are refused, and held by their origins: before a clean stop or a planned move. */
    public void refusePublishes(boolean isRefusingNow) {
        isRefusing = isRefusingNow;
    }

    // ---- mirrors

    /** From a mirror. */
    public void received(int node, ReplicaMessage.ToLeader message) {
        if (message.epoch() == epoch) {
            mirrors.received(node, message);
        }
    }

    /** The connection to a mirror ended: so did its session. */
    public void disconnected(int node) {
        if (rules.has(Rule.SESSION_ENDS_WITH_CONNECTION)) {
            inSync.close(node);
        }
    }

    /** The answer to {@link LeaderOutput#readForBackfill}: what could be read, in any order. */
    public void bodiesRead(MirrorSession session, List<MessageCopy> copies) {
        mirrors.bodiesRead(session, copies);
    }

    /** sync_queue: sends mirrors what they lack. */
    public void synchronise() {
        mirrors.synchronise(true);
    }

    /** cancel_sync_queue: stops sending; what arrived stays. */
    public void cancelSynchronise() {
        mirrors.synchronise(false);
    }

    /** The mirrors that have a session, for the status. */
    public Collection<MirrorSession> sessions() {
        return inSync.sessions();
    }

    // ---- commit

    /** Looks how far all is committed, and answers what waited for it. */
    public void advance() {
        ReplicaSet placement = inSync.placement();
        if (placement.epoch() != epoch || (!placement.isOpened() && rules.has(Rule.COMMIT_NEEDS_OPEN))) {
            return;
        }
        MessageId received = inSync.received(state.end());
        boolean hasAdvanced = received.compareTo(committed) > 0;
        if (hasAdvanced) {
            committed = received;
            state.commit(committed, released, onCommitted);
        }
        MessageId onDisk = inSync.durable(state.durableEnd());
        if (onDisk.compareTo(durable) > 0) {
            durable = onDisk;
        }
        if (!byReceived.isEmpty() || !byDurable.isEmpty()) {
            boolean isEnough = placement.inSyncCount() >= settings.inSyncMin();
            byReceived.release(committed, isEnough, output);
            byDurable.release(durable, isEnough, output);
        }
        if (hasAdvanced && !inSync.streams().isEmpty()) {
            output.committed(inSync.streams());
        }
        mirrors.proposeJoins();
        if (isFull && !isTailFull(2)) {
            isFull = false;
            output.pushBack(false);
        }
    }
}
