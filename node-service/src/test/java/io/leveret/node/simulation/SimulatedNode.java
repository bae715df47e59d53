package io.leveret.node.simulation;

import io.leveret.model.NodeName;
import io.leveret.node.cluster.metadata.ClusterCommand;
import io.leveret.node.cluster.metadata.ClusterImage;
import io.leveret.node.cluster.metadata.ClusterNode;
import io.leveret.node.cluster.replication.ChannelKey;
import io.leveret.node.cluster.replication.MirrorSession;
import io.leveret.node.cluster.replication.OriginMessage;
import io.leveret.node.cluster.replication.OriginMessageCodec;
import io.leveret.node.cluster.replication.ReplicaMessage;
import io.leveret.node.cluster.replication.ReplicaMessageCodec;
import io.leveret.node.cluster.replication.ReplicaSet;
import io.leveret.node.cluster.replication.ReplicaState;
import io.leveret.node.cluster.replication.Seams;
import io.leveret.node.runtime.ManualExecutor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A node: its disk and boot last, all else ends with a crash. Hosts at most one replica of the one queue. */
final class SimulatedNode {
    final SimulatedCluster cluster;
    final int number;
    final NodeName name;
    final SimulatedDisk disk = new SimulatedDisk();
    ManualExecutor executor = new ManualExecutor();
    long boot;
    UUID store;
    boolean isAlive;
    /** Metadata does not reach it, nor its proposals the log. */
    boolean isCutOff;

    Set<Long> damaged = Set.of();
    int applied;
    boolean isReady;

    @Nullable
    SimulatedReplica replica;

    private final Map<SimulatedDisk.Stream, ReplicaState> recoveredStates = new HashMap<>();
    private final List<Runnable> later = new ArrayList<>();
    private final List<SimulatedConsumer.AtLeader> served = new ArrayList<>();
    private long connectedEpoch;
    private long connectedVia;
    private final SimulatedClient client;
    /** The same process in the cluster of the other queue. */
    @Nullable
    SimulatedNode twin;

    SimulatedNode(SimulatedCluster cluster, int number, NodeName name) {
        this.cluster = cluster;
        this.number = number;
        this.name = name;
        this.store = new UUID(number, 1);
        this.client = new SimulatedClient(this);
    }

    SimulatedClient client() {
        return client;
    }

    // ---- life

    void start() {
        boot++;
        isAlive = true;
        executor = new ManualExecutor();
        applied = Math.max(0, applied - cluster.random.nextInt(4));
        for (SimulatedDisk.Stream each : disk.streams()) {
            recoveredStates.put(
                    each, cluster.seams.recover(disk.checkpoint(each), disk.covered(each), disk.records(each)));
        }
        inBatch(() -> onImage(cluster.metadata.image(applied)));
        if (twin != null && !twin.isAlive) {
            twin.start();
        }
    }

    void crash() {
        disk.crash(cluster.random);
        isAlive = false;
        isReady = false;
        replica = null;
        recoveredStates.clear();
        later.clear();
        served.clear();
        connectedEpoch = 0;
        client.crash();
        if (twin != null && twin.isAlive) {
            twin.crash();
        }
        for (int other = 0; other < cluster.nodes.size(); other++) {
            if (other != index()) {
                cluster.network.reset(index(), other);
                cluster.network.notice(index(), other);
            }
        }
    }

    /** A new, empty data directory. */
    void wipe() {
        disk.wipe();
        store = new UUID(number, store.getLeastSignificantBits() + 1);
    }

    int index() {
        return number - 1;
    }

    // ---- batches

    void inBatch(Runnable task) {
        executor.inside(task);
        executor.runAll();
        executor.inside(() -> {
            if (replica != null) {
                replica.endBatch();
            }
        });
        executor.runAll();
        SimulatedReplica here = replica;
        if (here != null && here.leader != null) {
            // What the end of the batch appended is streamed and counted, too.
            executor.inside(here::endBatch);
        }
    }

    /** Something that takes time: the answer of a disk. */
    void later(SimulatedReplica asking, Runnable task) {
        later.add(() -> {
            if (replica == asking) {
                task.run();
            }
        });
    }

    boolean runLater() {
        if (later.isEmpty()) {
            return false;
        }
        inBatch(later.remove(0));
        return true;
    }

    // ---- metadata

    void applyNext() {
        if (!isCutOff && applied < cluster.metadata.last()) {
            if (twin != null && twin.applied < cluster.otherThen(applied + 1)) {
                twin.applyNext();
                return;
            }
            applied++;
            inBatch(() -> onImage(cluster.metadata.image(applied)));
        }
    }

    void onImage(ClusterImage image) {
        ClusterNode me = image.node(name);
        isReady = me != null && me.boot() == boot && me.isLive();
        ReplicaSet placement = SimulatedMetadata.replicas(image, SimulatedCluster.QUEUE);
        long incarnation = placement == null ? 0 : placement.incarnation();
        client.incarnation(incarnation);
        if (!isReady) {
            if (replica != null && replica.leader != null) {
                replica.resign();
            } else if (replica != null && replica.mirror != null) {
                replica.mirror.disconnected(replica.placement.leader());
                connectedEpoch = 0;
            }
            client.leader(ReplicaSet.NOBODY, 0);
            return;
        }
        ReplicaSet.Member member = placement == null ? null : placement.member(number);
        host(placement, member);
        if (replica != null && placement != null) {
            replica.place(placement);
            connectMirror(placement);
        }
        if (placement != null) {
            client.leader(placement.leader(), placement.epoch());
        }
    }

    private void host(@Nullable ReplicaSet placement, ReplicaSet.@Nullable Member member) {
        SimulatedDisk.Stream wanted = placement == null || member == null
                ? null
                : new SimulatedDisk.Stream(placement.incarnation(), member.generation());
        if (replica != null && !replica.stream.equals(wanted)) {
            if (replica.leader != null) {
                replica.resign();
            }
            replica = null;
            connectedEpoch = 0;
        }
        for (SimulatedDisk.Stream each : disk.streams()) {
            if (!each.equals(wanted)) {
                disk.delete(each);
            }
        }
        if (wanted != null && replica == null) {
            ReplicaState state = recoveredStates.remove(wanted);
            recoveredStates.clear();
            replica = new SimulatedReplica(
                    this, wanted, state == null ? cluster.seams.state(cluster.isDurable) : state, placement);
        }
    }

    private void connectMirror(ReplicaSet placement) {
        if (replica.mirror == null || placement.leader() == ReplicaSet.NOBODY) {
            return;
        }
        long via = cluster.network.noticed(index(), placement.leader() - 1);
        if (connectedEpoch != placement.epoch() || connectedVia != via) {
            connectedEpoch = placement.epoch();
            connectedVia = via;
            replica.mirror.connected(placement.leader());
        }
    }

    // ---- network

    void send(int to, boolean isBulk, long incarnation, ReplicaMessage message) {
        cluster.trace(() -> "   " + number + " → " + to + " " + message);
        cluster.network.send(
                index(),
                to - 1,
                isBulk,
                new SimulatedCluster.Bytes(incarnation, true, ReplicaMessageCodec.encode(message)));
    }

    /** To the client side of a consumer. */
    void tell(int to, Object message) {
        if (to == number) {
            client.received(number, message);
        } else {
            cluster.network.send(index(), to - 1, false, message);
        }
    }

    void sendToLeader(int to, long incarnation, Object message) {
        if (to == number) {
            receivedAsLeader(number, incarnation, message);
        } else if (message instanceof OriginMessage origin) {
            cluster.network.send(
                    index(), to - 1, false, new SimulatedCluster.Bytes(incarnation, false, Seams.encode(origin)));
        } else {
            cluster.network.send(index(), to - 1, false, message);
        }
    }

    void answer(ChannelKey channel, long incarnation, OriginMessage.ToOrigin message) {
        if (channel.node() == number) {
            client.answered(channel, incarnation, message);
        } else {
            cluster.network.send(
                    index(),
                    channel.node() - 1,
                    false,
                    new SimulatedCluster.Bytes(incarnation, false, Seams.encode(message)));
        }
    }

    void received(SimulatedNetwork.Packet packet) {
        int from = packet.from() + 1;
        noticePeer(from);
        if (packet.content() instanceof SimulatedCluster.Bytes bytes) {
            if (bytes.isReplica()) {
                ReplicaMessage message = ReplicaMessageCodec.decode(bytes.content(), 0, bytes.content().length);
                if (replica != null && isReady && replica.stream.incarnation() == bytes.incarnation()) {
                    inBatch(() -> replica.received(from, message));
                }
                return;
            }
            OriginMessage message = OriginMessageCodec.decode(ByteBuffer.wrap(bytes.content()));
            if (message instanceof OriginMessage.ToOrigin toOrigin) {
                inBatch(() -> client.answered(message.channel(), bytes.incarnation(), toOrigin));
            } else {
                inBatch(() -> receivedAsLeader(from, bytes.incarnation(), message));
            }
        } else if (packet.content() instanceof SimulatedConsumer.Subscribe subscribe) {
            inBatch(() -> receivedAsLeader(from, subscribe.incarnation(), subscribe));
        } else if (packet.content() instanceof SimulatedConsumer.Settle settle) {
            inBatch(() -> receivedAsLeader(from, settle.incarnation(), settle));
        } else {
            inBatch(() -> client.received(from, packet.content()));
        }
    }

    private void receivedAsLeader(int from, long incarnation, Object message) {
        boolean isLeading = replica != null && replica.leader != null && replica.stream.incarnation() == incarnation;
        if (message instanceof OriginMessage.ToLeader origin) {
            if (isLeading) {
                replica.leader.received(origin);
            } else {
                answer(
                        origin.channel(),
                        incarnation,
                        new OriginMessage.NotLeader(origin.channel(), origin.epoch(), origin.session()));
            }
        } else if (message instanceof SimulatedConsumer.Subscribe subscribe) {
            if (isLeading && replica.leader.epoch() == subscribe.epoch()) {
                SimulatedConsumer.AtLeader consumer = new SimulatedConsumer.AtLeader(replica, from, subscribe);
                served.add(consumer);
                consumer.begin();
            } else {
                tell(from, new SimulatedConsumer.Ended(subscribe.session()));
            }
        } else if (message instanceof SimulatedConsumer.Settle settle) {
            for (SimulatedConsumer.AtLeader each : served) {
                if (each.client() == from && each.session() == settle.session() && each.subscription != null) {
                    each.subscription.settle(settle.from(), settle.to(), settle.verdict());
                }
            }
        }
    }

    void consumersLost() {
        served.clear();
    }

    /** Sees that the connection to a peer is another one. */
    void noticePeer(int peer) {
        if (peer == number || !cluster.network.notice(index(), peer - 1)) {
            return;
        }
        inBatch(() -> {
            if (replica != null && replica.leader != null) {
                replica.leader.disconnected(peer);
                for (SimulatedConsumer.AtLeader each : List.copyOf(served)) {
                    if (each.client() == peer && each.subscription != null) {
                        each.subscription.close();
                        served.remove(each);
                    }
                }
            }
            if (replica != null && replica.mirror != null && isReady) {
                replica.mirror.disconnected(peer);
                connectMirror(replica.placement);
            }
            client.reconnected(peer);
        });
    }

    // ---- proposals

    void tick(long now) {
        inBatch(() -> {
            if (!isReady) {
                onImage(cluster.metadata.image(applied));
            }
            if (!isReady && !isCutOff && applied == cluster.metadata.last()) {
                cluster.metadata.propose(new ClusterCommand.NodeUp(name, boot, store, false, damaged));
            }
            if (replica != null && isReady) {
                if (replica.leader != null) {
                    replica.leader.tick(now);
                } else if (replica.mirror != null && cluster.random.nextInt(3) == 0) {
                    replica.mirror.tick();
                }
            }
            client.tick(now);
        });
    }

    void proposeOpen(long incarnation, long epoch) {
        propose(new ClusterCommand.Open(List.of(new ClusterCommand.Open.Step(incarnation, epoch))));
    }

    void proposeJoin(long incarnation, MirrorSession session, long epoch, long version) {
        propose(new ClusterCommand.Join(List.of(new ClusterCommand.Join.Step(
                incarnation,
                cluster.name(session.node()),
                epoch,
                version,
                session.id().boot(),
                session.id().generation()))));
    }

    void proposeMove(long incarnation, int to, long epoch, long version) {
        propose(new ClusterCommand.Move(
                List.of(new ClusterCommand.Move.Step(incarnation, cluster.name(to), epoch, version))));
    }

    void proposeShrink(long incarnation, int mirror, long epoch) {
        propose(new ClusterCommand.Shrink(
                List.of(new ClusterCommand.Shrink.Step(incarnation, cluster.name(mirror), epoch))));
    }

    void proposeMergeDone(long incarnation, int mirror, long epoch, long version) {
        propose(new ClusterCommand.MergeDone(
                List.of(new ClusterCommand.MergeDone.Step(incarnation, cluster.name(mirror), epoch, version))));
    }

    private void propose(ClusterCommand command) {
        if (!isCutOff) {
            cluster.metadata.propose(command);
        }
    }

    /** The journal lets go of old records. */
    void checkpoint() {
        SimulatedReplica here = replica;
        if (here != null && cluster.isDurable) {
            disk.checkpoint(here.stream, Seams.checkpoint(here.state));
            inBatch(here::fsynced);
            cluster.coverage.checkpoints++;
        }
    }

    void fsync() {
        disk.fsync();
        if (replica != null) {
            inBatch(() -> replica.fsynced());
        }
    }
}
