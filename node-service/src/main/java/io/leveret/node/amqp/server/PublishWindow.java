package io.leveret.node.amqp.server;

import org.jspecify.annotations.Nullable;

/**
 * What one connection has published and no queue has answered yet, over all its channels. Full, the connection stops reading
 * its socket; it reads again at half, so that it does not stop and go with every answer. While all publishers of the node together
 * have too much on its way ({@link Intake}), anything is full, and only nothing is not. Pure.
 */
final class PublishWindow {
    /** With 1 KB messages about 8 MiB on their way: more than a loop hands over and a group commit takes at a time. */
    static final int MESSAGES_MAX = 8192;
    /** One message may exceed it: it is accepted alone. */
    static final long BYTES_MAX = 16L << 20;

    /** What all transactions of a connection may hold before their commits: they cannot push back, only be refused. */
    static final long HELD_BYTES_MAX = 64L << 20;

    private final Intake.Share share;
    private int messages;
    private long bytes;
    private long held;

    PublishWindow(Intake.Share share) {
        this.share = share;
    }

    void add(int messageBytes) {
        messages++;
        bytes += messageBytes;
        share.add(messageBytes);
    }

    void remove(int count, long messageBytes) {
        messages -= count;
        bytes -= messageBytes;
        share.remove(messageBytes);
    }

    /** The channel that published these is gone: they are nobody's, but they are there until they are answered. */
    void abandon(int count, long messageBytes) {
        messages -= count;
        bytes -= messageBytes;
    }

    /** One of the abandoned is answered. */
    void removeAbandoned(int messageBytes) {
        share.remove(messageBytes);
    }

    /** A transaction wants to hold a message. @return null, or why it may not */
    @Nullable
    String hold(int messageBytes) {
        if (held > 0 && held + messageBytes > HELD_BYTES_MAX) {
            return "this connection's transactions hold more than " + HELD_BYTES_MAX + " bytes";
        }
        if (!share.hold(messageBytes)) {
            return "the transactions of this node hold more than " + share.heldMax() + " bytes";
        }
        held += messageBytes;
        return null;
    }

    /** A transaction holds them no longer. */
    void release(long messageBytes) {
        held -= messageBytes;
        share.release(messageBytes);
    }

    boolean isFull() {
        return messages >= MESSAGES_MAX || bytes >= BYTES_MAX || (messages > 0 && share.isOver());
    }

    boolean isHalfEmpty() {
        return messages == 0 || (messages <= MESSAGES_MAX / 2 && bytes <= BYTES_MAX / 2 && !share.isOver());
    }

    int messages() {
        return messages;
    }
}
