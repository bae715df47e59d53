package io.leveret.node.cluster.peer;

import io.leveret.model.NodeName;

/** What a node that was asked would say to this one. */
public sealed interface PeerProbe {
    /** It would accept this node. */
    record Accepted(NodeName peer) implements PeerProbe {}

    record Refused(String peer, PeerRefusal reason) implements PeerProbe {}

    /** Nobody answered, or not in the format of links. */
    record Unreachable(String reason) implements PeerProbe {}
}
