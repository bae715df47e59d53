package io.leveret.node.cluster.metadata;

import io.leveret.node.cluster.metadata.MetadataSettings.Voter;
import io.leveret.node.runtime.WorkerPool;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClientRpc;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupInfoReply;
import org.apache.ratis.protocol.GroupInfoRequest;
import org.apache.ratis.protocol.GroupListReply;
import org.apache.ratis.protocol.GroupListRequest;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.protocol.SnapshotManagementRequest;
import org.apache.ratis.rpc.SupportedRpcType;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The Raft server of this node and the way to those of the others, as one thing that sends requests. Retries nothing. Uses no
 * RaftClient: its ordered calls fail all together when one does, and its others hold a thread each.
 */
final class RaftLink implements AutoCloseable {
    private static final int CALLS_MAX = 4;
    private static final long CALL_SECONDS_MAX = 10;
    /** So many times a survivor may have been made to lead while another node was away. */
    private static final int GENERATIONS_AHEAD_MAX = 256;

    private static final long SNAPSHOT_MILLIS_MAX = 30_000;

    private static final byte[] NOTHING = {};

    private final String clusterName;
    /** Another one only while this node has no data: then it takes that of the cluster it finds. */
    private volatile RaftGroupId groupId;

    private final RaftPeerId self;
    private final RaftServer server;
    private final RaftClientRpc rpc;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final List<RaftPeer> voters;
    /** Some calls hold their thread until they are answered. */
    private final WorkerPool waiting = new WorkerPool("metadata-calls", CALLS_MAX, CALLS_MAX);

    /** @param isMember null: there is no data yet; else whether it was begun with the list of voters, or without any */
    RaftLink(MetadataSettings settings, int generation, StateMachine.Registry machines, @Nullable Boolean isMember)
            throws IOException {
        RaftProperties properties = RaftTuning.of(settings);
        RaftConfigKeys.Rpc.setType(properties, SupportedRpcType.GRPC);
        clusterName = settings.clusterName();
        groupId = groupId(clusterName, generation);
        self = RaftPeerId.valueOf(settings.node().value());
        voters = settings.voters().stream().map(RaftLink::peer).toList();
        Parameters parameters = parameters(settings);
        RaftServer.Builder builder = RaftServer.newBuilder()
                .setServerId(self)
                .setProperties(properties)
                .setParameters(parameters)
                .setStateMachineRegistry(machines);
        if (isMember != null) {
            // Once a configuration was agreed on, the stored one counts, whatever is given here.
            builder.setGroup(group(isMember)).setOption(RaftStorage.StartupOption.RECOVER);
        }
        server = builder.build();
        rpc = new GrpcFactory(parameters).newRaftClientRpc(client, properties);
        rpc.addRaftPeers(voters);
    }

    private static Parameters parameters(MetadataSettings settings) {
        Parameters parameters = new Parameters();
        MetadataSettings.Tls tls = settings.tls();
        if (tls != null) {
            GrpcConfigKeys.TLS.setConf(parameters, new GrpcTlsConfig(tls.keys(), tls.authorities(), true));
        }
        return parameters;
    }

    static RaftGroupId groupId(String clusterName, int generation) {
        String name = "leveret metadata " + clusterName + " " + generation;
        return RaftGroupId.valueOf(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)));
    }

    private static RaftPeer peer(Voter voter) {
        return RaftPeer.newBuilder()
                .setId(voter.node().value())
                .setAddress(voter.host() + ":" + voter.port())
                .build();
    }

    void start() throws IOException {
        server.start();
    }

    private RaftGroup group(boolean isMember) {
        return isMember ? RaftGroup.valueOf(groupId, voters) : RaftGroup.valueOf(groupId);
    }

    RaftPeerId self() {
        return self;
    }

    List<RaftPeer> voters() {
        return voters;
    }

    private RaftServer.@Nullable Division division() {
        try {
            return server.getDivision(groupId);
        } catch (IOException e) {
            // No group yet, or no longer.
            return null;
        }
    }

    boolean isLeader() {
        RaftServer.Division division = division();
        return division != null && division.getInfo().isLeader();
    }

    /** The Raft leader as far as this node knows, or null. */
    @Nullable
    RaftPeerId leader() {
        RaftServer.Division division = division();
        if (division == null) {
            return null;
        }
        DivisionInfo information = division.getInfo();
        return information.isLeader() ? self : information.getLeaderId();
    }

    /** The voters that this node knows of now. */
    Collection<RaftPeer> members() {
        RaftServer.Division division = division();
        return division == null ? List.of() : division.getGroup().getPeers();
    }

    /** Sends a command to the leader. A failed future, or an unsuccessful reply, leaves open whether it will be applied. */
    CompletableFuture<RaftClientReply> write(byte[] command, RaftPeerId leader) {
        RaftClientRequest request = request(leader, RaftClientRequest.writeRequestType())
                .setMessage(Message.valueOf(ByteString.copyFrom(command)))
                .build();
        if (leader.equals(self)) {
            return local(request);
        }
        rpc.addRaftPeers(members());
        return rpc.sendRequestAsyncUnordered(request).whenComplete((reply, failure) -> {
            if (failure != null) {
                // Lets go of a broken connection, so that the next call makes a new one.
                rpc.handleException(leader, failure, true);
            }
        });
    }

    /** Succeeds when this node has applied all that was agreed before the call. */
    CompletableFuture<RaftClientReply> barrier() {
        return local(request(self, RaftClientRequest.readRequestType())
                .setMessage(Message.EMPTY)
                .build());
    }

    /**
     * Makes the leader and its followers speak to each other, by an entry that says nothing. A follower that had not written an
     * entry when it was told of its commit would hear of that again with the next heartbeat only, and for a barrier the leader
     * waits for the answers to one.
     */
    void nudge() {
        RaftPeerId leader = leader();
        if (leader != null) {
            write(NOTHING, leader);
        }
    }

    private RaftClientRequest.Builder request(RaftPeerId to, RaftClientRequest.Type type) {
        return RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(to)
                .setGroupId(groupId)
                .setCallId(calls.incrementAndGet())
                .setType(type);
    }

    private CompletableFuture<RaftClientReply> local(RaftClientRequest request) {
        try {
            return server.submitClientRequestAsync(request);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Makes this node a part of the group. Its log begins empty. */
    void addGroup(boolean isMember) throws IOException {
        server.groupManagement(GroupManagementRequest.newAdd(client, self, calls.incrementAndGet(), group(isMember)));
    }

    void generation(int generation) {
        groupId = groupId(clusterName, generation);
    }

    /**
     * What another node says of the group; null when it has no part in it.
     *
     * @throws IOException when it does not answer within some seconds
     */
    @Nullable
    GroupInfoReply ask(RaftPeerId peer) throws IOException {
        if (!groups(peer).contains(groupId)) {
            return null;
        }
        RaftClientReply reply = call(new GroupInfoRequest(client, peer, groupId, calls.incrementAndGet()));
        if (reply instanceof GroupInfoReply answer && reply.getException() == null) {
            return answer;
        }
        throw new IOException("no answer about the group", reply.getException());
    }

    private List<RaftGroupId> groups(RaftPeerId peer) throws IOException {
        RaftClientReply reply = call(new GroupListRequest(client, peer, groupId, calls.incrementAndGet()));
        return reply instanceof GroupListReply list ? list.getGroupIds() : List.of();
    }

    /** The generation above the given one that another node takes part in, or the given one. */
    int newerGeneration(RaftPeerId peer, int generation) throws IOException {
        List<RaftGroupId> groups = groups(peer);
        for (int next = generation + 1; !groups.isEmpty() && next <= generation + GENERATIONS_AHEAD_MAX; next++) {
            if (groups.contains(groupId(clusterName, next))) {
                return next;
            }
        }
        return generation;
    }

    /** Changes who votes; waits some seconds at most. */
    void vote(RaftPeerId leader, List<RaftPeer> current, List<RaftPeer> next) throws IOException {
        RaftClientReply reply = call(change(leader, current, next));
        if (!reply.isSuccess()) {
            throw new IOException("the voters were not changed", reply.getException());
        }
    }

    /** As leader: one of the present voters votes no more. */
    CompletableFuture<Boolean> strikeOut(RaftPeerId voter) {
        List<RaftPeer> current = List.copyOf(members());
        List<RaftPeer> next =
                current.stream().filter(each -> !each.getId().equals(voter)).toList();
        if (next.size() == current.size()) {
            return CompletableFuture.completedFuture(true);
        }
        try {
            return server.setConfigurationAsync(change(self, current, next))
                    .handle((reply, failure) -> failure == null && reply.isSuccess());
        } catch (IOException e) {
            return CompletableFuture.completedFuture(false);
        }
    }

    private SetConfigurationRequest change(RaftPeerId leader, List<RaftPeer> current, List<RaftPeer> next) {
        SetConfigurationRequest.Arguments arguments = SetConfigurationRequest.Arguments.newBuilder()
                .setServersInCurrentConf(current)
                .setServersInNewConf(next)
                .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                .build();
        return new SetConfigurationRequest(client, leader, groupId, calls.incrementAndGet(), arguments);
    }

    /** Some of these calls know no time-out of their own: a frozen peer must not freeze this node too. */
    private RaftClientReply call(RaftClientRequest request) throws IOException {
        try {
            return CompletableFuture.supplyAsync(() -> send(request), waiting).get(CALL_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            rpc.handleException(request.getServerId(), e, true);
            throw new IOException("no answer from " + request.getServerId() + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            InterruptedIOException interrupted = new InterruptedIOException("interrupted");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    private RaftClientReply send(RaftClientRequest request) {
        try {
            return rpc.sendRequest(request);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    RaftPeer selfPeer() {
        return voters.stream()
                .filter(each -> each.getId().equals(self))
                .findFirst()
                .orElseThrow();
    }

    List<RaftPeer> others() {
        List<RaftPeer> others = new ArrayList<>(voters);
        others.removeIf(each -> each.getId().equals(self));
        return others;
    }

    /** Writes a snapshot now. */
    CompletableFuture<RaftClientReply> takeSnapshot() {
        return server.snapshotManagementAsync(SnapshotManagementRequest.newCreate(
                client, self, groupId, calls.incrementAndGet(), SNAPSHOT_MILLIS_MAX));
    }

    @Override
    public void close() throws IOException {
        try {
            waiting.close();
            rpc.close();
        } finally {
            server.close();
        }
    }
}
