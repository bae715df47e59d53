package io.leveret.node.cluster.replication;

/** A publishing channel as the leader sees it: its session, and the answers to it that are being gathered. */
final class OriginChannel {
    /** No session is open. */
    static final long NONE = -1;

    final ChannelKey key;
    /** Of a publisher of dead letters: the incarnation of their source, and the epoch of its leader. Else 0. */
    long source;

    long sourceEpoch;
    /** The session that is open. */
    long session;
    /** The number of the last publish of the session. */
    long lastArrived;
    /** Answers gathered into one: numbers from..to, when {@code to} is not 0. */
    long gatheredFrom;

    long gatheredTo;

    OriginChannel(ChannelKey key) {
        this.key = key;
    }
}
