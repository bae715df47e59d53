package io.leveret.node.cluster.peer;

import java.nio.ByteBuffer;

/**
 * Where one executor puts its frames for one peer. Frames are collected and handed to the socket once, at the end of the
 * executor's batch. Called on that executor only. Frames for a closed link are dropped in silence: its end is told by
 * {@link PeerListener#linkDown}.
 */
public interface PeerOutbox {
    PeerLink link();

    /**
     * Sends one frame. The parts are copied before this returns; their positions do not change.
     *
     * @throws IllegalArgumentException when the parts exceed {@link PeerTransport#PAYLOAD_BYTES_MAX}
     */
    void send(PeerClass trafficClass, int service, ByteBuffer... parts);
}
