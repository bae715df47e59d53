package io.leveret.node.cluster.peer;

import java.nio.ByteBuffer;

/** Who takes the frames of one service number. Called on the link's executor. */
@FunctionalInterface
public interface PeerService {
    /**
     * One frame.
     *
     * @param payload a heap buffer that the service may keep; keeping it keeps the whole read it came with
     * @throws java.nio.BufferUnderflowException when the payload is not what the service expects; the link is closed
     * @throws IllegalArgumentException likewise
     */
    void received(PeerLink link, PeerClass trafficClass, ByteBuffer payload);

    /** True when the service calls {@link PeerLink#release} itself, with the payload's size, for each frame. */
    default boolean releasesItself() {
        return false;
    }
}
