package io.leveret.node.cluster.replication;

import io.leveret.model.NodeName;
import io.leveret.model.QueueName;
import io.leveret.node.broker.queue.BodyReader;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.ResidentBodies;
import io.leveret.node.cluster.peer.PeerClass;
import io.leveret.node.cluster.peer.PeerLink;
import io.leveret.node.journal.Release;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The local replica of one queue, with one owner: the executor it was given for life. What it is follows metadata:
 *
 * <pre>
 * MIRROR ──this node leads a new epoch──► LEADER ──another epoch──► MIRROR     (the same state throughout)
 *    └──────────────── queue deleted · replica removed or of another generation ────────────────► CLOSED, stream dropped
 * </pre>
 *
 * It feeds the cores with what comes from metadata, peers, journal, origins and time, and brings what they ask for to journal
 * and peers. After each batch of inputs the core in charge is told once that the batch ended.
 */
public final class QueueHost implements ReplicaLoop.Member, ReplicaOutput {
    private static final long PAGED_BYTES_AT_ONCE = 1 << 20;

    private final QueueName name;
    private final long incarnation;
    private final long generation;
    private final boolean isAutoDelete;
    private final ReplicaContext context;
    private final SerialExecutor executor;
    private final ReplicaLoop loop;
    private final ReplicaState state;
    private final ReplicaDisk disk;
    private final ResidentBodies bodies;
    private final ByteBuffer frameHead;
    private final Runnable endOfBatch = this::endOfBatch;
    private final ReplicaLinks links = new ReplicaLinks();
    private final Succession succession;

    private QueuePolicy policy;
    private @Nullable ReplicaSet placement;
    private @Nullable Leadership leadership;
    private @Nullable ReplicaCore mirror;
    private long lastHello;
    private boolean isEndPlanned;
    private boolean isClosed;
    private volatile @Nullable Leadership published;

    /**
     * What a replica is made of.
     *
     * @param isRecovered the state was read back; else the stream begins with it
     */
    record Content(
            QueueName name,
            long incarnation,
            long generation,
            boolean isAutoDelete,
            ReplicaState state,
            boolean isRecovered,
            QueuePolicy policy) {}

    QueueHost(Content content, ReplicaContext context, ReplicaLoop loop) {
        this.name = content.name();
        this.incarnation = content.incarnation();
        this.generation = content.generation();
        this.isAutoDelete = content.isAutoDelete();
        this.policy = content.policy();
        this.context = context;
        this.loop = loop;
        this.executor = loop.executor();
        this.state = content.state();
        this.disk = new ReplicaDisk(context.journal, loop, this, state, incarnation, generation, this::rescue);
        this.bodies = new ResidentBodies(state.queue().live(), context.budget, disk::isOnDisk);
        this.succession = new Succession(this, context);
        this.bodies.setLazy(policy.isLazy());
        this.frameHead = ByteBuffer.allocate(8).putLong(incarnation).flip();
        if (!content.isRecovered()) {
            executor.execute(disk::begin);
        }
        executor.execute(() -> loop.add(this));
    }

    public QueueName name() {
        return name;
    }

    public long incarnation() {
        return incarnation;
    }

    long generation() {
        return generation;
    }

    public SerialExecutor executor() {
        return executor;
    }

    boolean isAutoDelete() {
        return isAutoDelete;
    }

    ReplicaState state() {
        return state;
    }

    ReplicaDisk disk() {
        return disk;
    }

    /** The leadership of that epoch, if this node has it and may serve. Called on the executor. */
    public @Nullable Leadership leading(long epoch) {
        Leadership now = leadership;
        return now != null && now.epoch() == epoch ? now : null;
    }

    /** Whether this node leads the queue, as far as it knows. Any thread. */
    public boolean isLeading() {
        return published != null;
    }

    // ---- metadata

    /** Newer metadata of this queue, in which this replica is. */
    void placement(ReplicaSet next) {
        executor.assertInside();
        if (isClosed || (placement != null && placement.version() > next.version())) {
            return;
        }
        placement = next;
        Leadership leading = leadership;
        if (leading != null && !leading.core().placement(next)) {
            stopLeading(leading);
        }
        if (leadership == null && next.leader() == context.self()) {
            lead(next);
        } else if (leadership == null) {
            follow(next);
        }
        planEndOfBatch();
    }

    private void lead(ReplicaSet next) {
        ReplicaCore former = mirror;
        if (former != null) {
            lastHello = former.hello();
            mirror = null;
        }
        Leadership started = new Leadership(this, context, state, next, policy);
        leadership = started;
        published = started;
        started.start();
        started.pause(context.isPaused());
    }

    private void stopLeading(Leadership ended) {
        leadership = null;
        published = null;
        succession.ended();
        ended.end();
    }

    private void follow(ReplicaSet next) {
        ReplicaCore core = mirror;
        if (core == null) {
            ReplicaSet.Member self = next.member(context.self());
            if (self == null) {
                return;
            }
            core = new ReplicaCore(context.self(), self.boot(), generation, lastHello, state, this);
            mirror = core;
        }
        long epochBefore = core.epoch();
        core.placement(next);
        if (core.epoch() != epochBefore && next.leader() != ReplicaSet.NOBODY) {
            PeerLink link = context.link(next.leader());
            if (link != null && link.isOpen()) {
                links.bind(link, next.leader());
                core.connected(next.leader());
            }
        }
    }

    /** Policy, arguments or configuration changed. */
    void configure(QueuePolicy changed) {
        executor.assertInside();
        policy = changed;
        bodies.setLazy(changed.isLazy());
        if (leadership != null) {
            leadership.configure(changed);
            planEndOfBatch();
        }
    }

    /** The queue, or this replica of it, is no more. @param isDeleted the queue itself: its consumers are told */
    void close(boolean isDeleted) {
        executor.assertInside();
        if (isClosed) {
            return;
        }
        isClosed = true;
        Leadership leading = leadership;
        if (leading != null) {
            if (isDeleted) {
                leading.queue().delete();
            }
            stopLeading(leading);
        }
        mirror = null;
        loop.remove(this);
        bodies.close();
        disk.drop();
    }

    // ---- giving the leadership away

    /** The node stops: gives the leadership to another member of the in-sync set, if there is one. */
    void handOver() {
        if (leadership != null && !otherMembers().isEmpty()) {
            succession.stop(leadership);
            planEndOfBatch();
        }
    }

    /** Placement wants another member of the in-sync set to lead. */
    void handOver(NodeName to, long epoch) {
        Leadership leading = leading(epoch);
        if (leading != null && otherMembers().contains(to)) {
            succession.to(leading, to);
            planEndOfBatch();
        }
    }

    /** Whether this node stops, and still waits to give the leadership away. Any thread. */
    boolean isHandingOver() {
        return succession.isStopping();
    }

    // ---- origins and peers

    /** What an origin says, on this node or another. */
    public void fromOrigin(OriginMessage.ToLeader message) {
        Leadership leading = leadership;
        if (leading == null) {
            refuse(message.channel(), message.epoch(), message.session());
        } else {
            leading.core().received(message);
            planEndOfBatch();
        }
    }

    void refuse(ChannelKey channel, long epoch, long session) {
        context.origins().toOrigin(incarnation, executor, new OriginMessage.NotLeader(channel, epoch, session));
    }

    /** What another replica says. */
    void fromReplica(PeerLink link, int node, ReplicaMessage message) {
        if (!useLink(link, node)) {
            return;
        }
        if (message instanceof ReplicaMessage.ToLeader toLeader) {
            if (leadership != null) {
                leadership.core().received(node, toLeader);
            }
        } else if (mirror != null && message instanceof ReplicaMessage.ToMirror toMirror) {
            mirror.received(node, toMirror);
        }
        planEndOfBatch();
    }

    /** There is a link to the node. */
    void connected(PeerLink link, int node) {
        useLink(link, node);
    }

    private boolean useLink(PeerLink link, int node) {
        return links.use(link, node, this::lost, this::found);
    }

    private void found(int node) {
        if (mirror != null) {
            mirror.connected(node);
            planEndOfBatch();
        }
    }

    void disconnected(PeerLink link, int node) {
        if (links.forget(link, node)) {
            lost(node);
        }
    }

    private void lost(int node) {
        if (leadership != null) {
            leadership.core().disconnected(node);
        }
        if (mirror != null) {
            mirror.disconnected(node);
        }
        planEndOfBatch();
    }

    /** The link of the session with that node, or null. */
    @Nullable
    PeerLink link(int node) {
        return links.get(node);
    }

    void backfillMayGoOn() {
        if (leadership != null) {
            leadership.backfill().goOn();
        }
    }

    // ---- batches, disk and time

    void planEndOfBatch() {
        if (!isEndPlanned) {
            isEndPlanned = true;
            executor.atEndOfBatch(endOfBatch);
        }
    }

    private void endOfBatch() {
        isEndPlanned = false;
        if (isClosed) {
            return;
        }
        if (leadership != null) {
            leadership.endOfBatch();
            if (leadership.handOver().isUnderWay() && placement != null) {
                succession.goOn(leadership, placement.version());
            }
        } else if (mirror != null) {
            mirror.flush();
        }
        trim();
    }

    private void trim() {
        bodies.trim();
        if (bodies.isOver()) {
            for (LiveMessage each : bodies.unplaced(PAGED_BYTES_AT_ONCE)) {
                if (each.message() != null && !isWaitingForDisk(each)) {
                    disk.page(each, each.message());
                }
            }
        }
    }

    /** A persistent message of a durable queue is in the journal when it is in the state. */
    private boolean isWaitingForDisk(LiveMessage entry) {
        return state.isDurable() && entry.isPersistent();
    }

    @Override
    public boolean durable(long position) {
        boolean isWaiting = disk.durable(position);
        planEndOfBatch();
        return isWaiting;
    }

    @Override
    public void tick(long nowNanos) {
        if (leadership != null) {
            leadership.core().tick(nowNanos);
            leadership.backfill().goOn();
            planEndOfBatch();
        } else if (mirror != null) {
            mirror.tick();
            planEndOfBatch();
        }
    }

    void release(Release release) {
        if (isClosed) {
            release.forget();
        } else {
            disk.release(release);
        }
    }

    void moved(long[] from, long[] to, Runnable done) {
        disk.moved(from, to, done);
    }

    private void rescue(BodyReader.Request lost) {
        if (leadership != null) {
            leadership.lost().rescue(lost);
        }
    }

    /** The other replicas whose nodes are up. */
    List<NodeName> otherReplicas() {
        return others(each -> true);
    }

    /** The other members of the in-sync set. */
    List<NodeName> otherMembers() {
        return others(ReplicaSet.Member::isInSync);
    }

    private List<NodeName> others(Predicate<ReplicaSet.Member> which) {
        List<NodeName> nodes = new ArrayList<>();
        ReplicaSet now = placement;
        if (now != null) {
            for (ReplicaSet.Member each : now.members()) {
                NodeName node = context.numbers().name(each.node());
                if (each.node() != context.self() && each.isLive() && which.test(each) && node != null) {
                    nodes.add(node);
                }
            }
        }
        return nodes;
    }

    boolean areAllReplicasLive() {
        return placement != null && placement.members().stream().allMatch(ReplicaSet.Member::isLive);
    }

    /** No Raft majority: nothing is taken and nothing delivered until there is one again. */
    void pause(boolean isPaused) {
        Leadership leading = leadership;
        if (leading != null) {
            leading.pause(isPaused);
        }
    }

    // ---- what a mirror's core asks for

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
        PeerLink link = links.get(node);
        if (link != null) {
            PeerClass trafficClass = message instanceof ReplicaMessage.Backfill ? PeerClass.BACKFILL : PeerClass.LIVE;
            link.outbox(executor)
                    .send(
                            trafficClass,
                            ReplicationService.SERVICE,
                            frameHead,
                            ByteBuffer.wrap(ReplicaMessageCodec.encode(message)));
        }
    }

    @Override
    public void readForMerge(ReplicaMessage.SessionId session, RunSet covered, List<LiveMessage> wanted) {
        BackfillReader.read(this, wanted, copies -> {
            if (mirror != null) {
                mirror.bodiesRead(session, covered, copies);
                planEndOfBatch();
            }
        });
    }

    // ---- operators and listings

    boolean atLeader(Consumer<LeaderCore> act) {
        Leadership leading = leadership;
        if (leading == null) {
            return false;
        }
        act.accept(leading.core());
        planEndOfBatch();
        return true;
    }

    @Nullable
    ReplicationStatus status() {
        Leadership leading = leadership;
        if (leading == null) {
            return null;
        }
        return leading.status();
    }

    /** The start of each frame about this queue. */
    ByteBuffer frameHead() {
        return frameHead;
    }
}
