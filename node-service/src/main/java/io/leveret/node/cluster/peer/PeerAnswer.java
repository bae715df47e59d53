package io.leveret.node.cluster.peer;

import java.nio.ByteBuffer;

/** What became of a request to a peer. */
public sealed interface PeerAnswer {
    /** The peer answered. */
    record Answered(ByteBuffer payload) implements PeerAnswer {}

    /** The peer's handler refused, and said why. */
    record Refused(String reason) implements PeerAnswer {}

    /** There was no link: the request was not sent and has had no effect. */
    record NotSent() implements PeerAnswer {}

    /** No answer came in time, or the link ended: the request may have had its effect, or have it yet. */
    record Unknown(String reason) implements PeerAnswer {}
}
