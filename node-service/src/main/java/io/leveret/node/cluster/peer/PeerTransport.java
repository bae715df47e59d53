package io.leveret.node.cluster.peer;

import io.leveret.model.NodeName;
import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Links to the other nodes. It knows no queue: services register by number. There is one connection for each pair of nodes,
 * made by the one whose name sorts first and made again, with back-off, while the other is a member.
 */
public interface PeerTransport {
    /** A body of 128 MiB, the largest a client may publish, and room for its record. */
    int PAYLOAD_BYTES_MAX = 132 << 20;

    /** Before {@link #members} is first called. */
    void register(int service, PeerService handler);

    /** Before {@link #members} is first called. */
    void listen(PeerListener listener);

    /** The open link to a peer, or null. Any thread. */
    @Nullable
    PeerLink link(NodeName peer);

    /**
     * The other members and where their links listen. A link to a node that is missing here stays while it lives, but is not
     * made again. Any thread.
     */
    void members(Map<NodeName, InetSocketAddress> members);
}
