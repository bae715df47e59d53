package io.leveret.node.cluster.peer;

/** Hears of links. Called on the executor of the link; {@link #refused} on any. */
public interface PeerListener {
    /** A link is authenticated; frames may come and go. Precedes every frame of that link. */
    default void linkUp(PeerLink link) {}

    /** The link is closed; no frame of it follows. */
    default void linkDown(PeerLink link) {}

    /** Frames of this class need no longer wait. */
    default void writable(PeerLink link, PeerClass trafficClass) {}

    /**
     * A connection was not made, because one side does not accept the other: a wrong secret, another format, a name that is
     * taken.
     *
     * @param peer the other side as far as it is known: a node name or an address
     */
    default void refused(String peer, PeerRefusal reason) {}
}
