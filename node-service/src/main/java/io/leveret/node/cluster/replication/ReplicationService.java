package io.leveret.node.cluster.replication;

import io.leveret.node.cluster.peer.PeerClass;
import io.leveret.node.cluster.peer.PeerLink;
import io.leveret.node.cluster.peer.PeerListener;
import io.leveret.node.cluster.peer.PeerService;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Brings what replicas on different nodes say to each other from the link's executor to theirs, in order, and gives the link
 * its credit back when they have dealt with it. A frame is the queue's incarnation (i64) and a {@link ReplicaMessage}.
 */
final class ReplicationService implements PeerService, PeerListener {
    static final int SERVICE = 1;

    /** Frames that were dealt with and not yet given back. Bound: the windows of all links. */
    private final ConcurrentLinkedQueue<Held> held = new ConcurrentLinkedQueue<>();

    private final QueueHosts hosts;
    private final ReplicaContext context;

    private record Held(PeerLink link, PeerClass trafficClass, int bytes) {}

    ReplicationService(QueueHosts hosts, ReplicaContext context) {
        this.hosts = hosts;
        this.context = context;
        context.journal.addRelievedListener(this::relieved);
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
            release(link, trafficClass, bytes);
        } else {
            here.handOver(host.executor(), () -> {
                host.fromReplica(link, node, message);
                release(link, trafficClass, bytes);
            });
        }
    }

    /** While the journal has more to write than it should, the leaders of mirrors here get no credit for more. */
    private void release(PeerLink link, PeerClass trafficClass, int bytes) {
        if (context.journal.isCongested()) {
            held.add(new Held(link, trafficClass, bytes));
            // It may have been relieved between the question and now.
            if (!context.journal.isCongested()) {
                relieved();
            }
        } else {
            link.release(trafficClass, bytes);
        }
    }

    private void relieved() {
        for (Held each = held.poll(); each != null; each = held.poll()) {
            each.link().release(each.trafficClass(), each.bytes());
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
