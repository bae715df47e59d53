package io.leveret.node.cluster.peer;

import io.leveret.model.NodeName;
import io.leveret.node.runtime.SerialExecutor;

/**
 * One open connection to one peer, the same in both directions. What is sent in one class arrives in order or, when the
 * connection ends, not at all from some frame on; nothing is assumed across connections. Any thread.
 */
public interface PeerLink {
    NodeName peer();

    /** The boot of the peer's process, as it said when the connection was made. */
    long peerBoot();

    /** A number for this connection, never used twice while the process runs. */
    long number();

    boolean isOpen();

    /** The executor of the connection's socket: where services are called. */
    SerialExecutor executor();

    /** The way into this link for one executor; the same object for the same executor. */
    PeerOutbox outbox(SerialExecutor caller);

    /**
     * False while frames of this class wait for credit; {@link PeerListener#writable} follows. What is sent meanwhile is kept,
     * so whoever can wait must.
     */
    boolean isWritable(PeerClass trafficClass);

    /** Gives credit back to the peer for frames that a service with {@link PeerService#releasesItself} has dealt with. */
    void release(PeerClass trafficClass, int bytes);

    void close(String reason);
}
