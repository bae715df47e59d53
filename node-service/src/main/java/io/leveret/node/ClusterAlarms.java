package io.leveret.node;

import io.leveret.model.NodeName;
import io.leveret.node.amqp.server.ConnectionRegistry;
import io.leveret.node.cluster.peer.PeerClass;
import io.leveret.node.cluster.peer.PeerLink;
import io.leveret.node.cluster.peer.PeerListener;
import io.leveret.node.cluster.peer.PeerService;
import io.leveret.node.cluster.peer.PeerTransport;
import io.leveret.node.cluster.replication.QueueHosts;
import io.leveret.node.runtime.SerialExecutor;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * The alarms of all nodes. What a client publishes here may be for a queue anywhere, so publishers are blocked on every node until
 * the last alarm is over. Each node tells its own alarms to each peer when they change, and when a link comes up; those of a peer
 * whose link ends are forgotten. A frame is one byte. All state belongs to the executor.
 */
final class ClusterAlarms implements PeerService, PeerListener {
    static final int SERVICE = 5;

    private final NodeName self;
    private final SerialExecutor executor;
    private final ConnectionRegistry connections;
    private final QueueHosts hosts;
    private final AlarmBoard board = new AlarmBoard();
    private final Set<PeerLink> links = new HashSet<>();

    ClusterAlarms(NodeName self, SerialExecutor executor, ConnectionRegistry connections, QueueHosts hosts) {
        this.self = self;
        this.executor = executor;
        this.connections = connections;
        this.hosts = hosts;
    }

    void listenTo(PeerTransport transport) {
        transport.register(SERVICE, this);
        transport.listen(this);
    }

    void memoryIsHigh(boolean isHigh) {
        executor.execute(() -> changed(AlarmBoard.MEMORY, isHigh));
    }

    void diskIsLow(boolean isLow, long freeBytes) {
        executor.execute(() -> changed(AlarmBoard.DISK, isLow));
    }

    private void changed(int alarm, boolean isOn) {
        board.change(self, alarm, isOn);
        hosts.pauseBackfill(board.of(self) != 0);
        links.forEach(this::tell);
        apply();
    }

    private void tell(PeerLink link) {
        link.outbox(executor).send(PeerClass.CLIENT, SERVICE, ByteBuffer.wrap(new byte[] {(byte) board.of(self)}));
    }

    private void apply() {
        String reason = board.reason();
        if (reason == null) {
            connections.unblock();
        } else {
            connections.block(reason);
        }
    }

    @Override
    public void received(PeerLink link, PeerClass trafficClass, ByteBuffer payload) {
        int alarms = payload.get();
        executor.run(() -> {
            if (links.contains(link)) {
                board.set(link.peer(), alarms);
                apply();
            }
        });
    }

    @Override
    public void linkUp(PeerLink link) {
        executor.run(() -> {
            links.add(link);
            tell(link);
        });
    }

    @Override
    public void linkDown(PeerLink link) {
        executor.run(() -> {
            if (links.remove(link)
                    && links.stream().noneMatch(each -> each.peer().equals(link.peer()))) {
                board.forget(link.peer());
                apply();
            }
        });
    }
}
