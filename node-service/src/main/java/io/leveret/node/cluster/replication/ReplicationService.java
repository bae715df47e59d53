package io.leveret.node.cluster.replication;

import io.leveret.node.cluster.peer.PeerClass;
import io.leveret.node.cluster.peer.PeerLink;
import io.leveret.node.cluster.peer.PeerListener;
import io.leveret.node.cluster.peer.PeerService;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.ByteBuffer;

/**
 * Brings what replicas on different nodes say to each other from the link's executor to theirs, in order, and gives the link
 * its credit back when they have dealt with it. A frame is the queue's incarnation (i64) and a {@link ReplicaMessage}.
 */
final class ReplicationService implements PeerService, PeerListener {
    static final int SERVICE = 1;

    private final QueueHosts hosts;
    private final ReplicaContext context;

    ReplicationService(QueueHosts hosts, ReplicaContext context) {
        this.hosts = hosts;
        this.context = context;
    }

    @Override
    public boolean releasesItself() {
        return true;
    }

    @Override
    public void received(PeerLink link, PeerClass trafficClass, ByteBuffer in) {
        int bytes = in.remaining();
        QueueHost host = hosts.host(in.getLong());
        int node = context.numbers().number(link.peer());
        if (host == null || node == NodeNumbers.UNKNOWN) {
            // Not heard: the other side says it again.
            link.release(trafficClass, bytes);
            return;
        }
        ReplicaMessage message =
                ReplicaMessageCodec.decode(in.array(), in.arrayOffset() + in.position(), in.remaining());
        SerialExecutor here = link.executor();
        if (here == host.executor()) {
            host.fromReplica(link, node, message);
            link.release(trafficClass, bytes);
        } else {
            here.handOver(host.executor(), () -> {
                host.fromReplica(link, node, message);
                link.release(trafficClass, bytes);
            });
        }
    }

    @Override
    public void linkUp(PeerLink link) {
        int node = context.numbers().number(link.peer());
        if (node != NodeNumbers.UNKNOWN) {
            hosts.forEach(host -> link.executor().handOver(host.executor(), () -> host.connected(link, node)));
        }
    }

    @Override
    public void linkDown(PeerLink link) {
        int node = context.numbers().number(link.peer());
        if (node != NodeNumbers.UNKNOWN) {
            hosts.forEach(host -> link.executor().handOver(host.executor(), () -> host.disconnected(link, node)));
        }
    }

    @Override
    public void writable(PeerLink link, PeerClass trafficClass) {
        if (trafficClass == PeerClass.BACKFILL) {
            hosts.forEach(host -> link.executor().handOver(host.executor(), host::backfillMayGoOn));
        }
    }
}
