package io.leveret.node.amqp.server;

import io.netty.channel.Channel;

/**
 * Whether a connection's socket is read. It is not while the window of unanswered publishes is full (until it is half empty),
 * while an alarm is on and the client has published, while a channel has a long backlog, while a large body waits for room, and
 * while the client leaves what it is sent unread. A connection that is closing is
 * always read, since all it waits for is the client's agreement.
 */
final class ReadingGate {
    private final Channel socket;
    private final PublishWindow window;
    private int longBacklogs;
    private int bodiesWaiting;
    private boolean isUnread;
    private boolean isWindowShut;
    private boolean isBlocked;
    private boolean isClosing;
    private boolean isReading = true;

    ReadingGate(Channel socket, PublishWindow window) {
        this.socket = socket;
        this.window = window;
    }

    void published() {
        if (!isWindowShut && window.isFull()) {
            isWindowShut = true;
            update();
        }
    }

    void answered() {
        if (isWindowShut && window.isHalfEmpty()) {
            isWindowShut = false;
            update();
        }
    }

    void backlog(boolean isLong) {
        longBacklogs += isLong ? 1 : -1;
        update();
    }

    /** A large body waits for room, or no longer does. */
    void awaitRoom(boolean isWaiting) {
        bodiesWaiting += isWaiting ? 1 : -1;
        update();
    }

    /** The client has much to read, or no longer has. */
    void unread(boolean isMuch) {
        isUnread = isMuch;
        update();
    }

    void setBlocked(boolean blocked) {
        isBlocked = blocked;
        update();
    }

    void closing() {
        isClosing = true;
        update();
    }

    boolean isBlocked() {
        return isBlocked;
    }

    boolean isReading() {
        return isReading;
    }

    /**
     * The state of a running connection, in the words of listings.
     *
     * @param isAlarmed an alarm is on: its next publish will block it
     */
    String shown(boolean isAlarmed) {
        if (isBlocked) {
            return "blocked";
        } else if (isAlarmed) {
            return "blocking";
        }
        return isReading ? "running" : "flow";
    }

    private void update() {
        boolean isWanted =
                isClosing || (!isWindowShut && !isBlocked && !isUnread && longBacklogs == 0 && bodiesWaiting == 0);
        if (isWanted != isReading) {
            isReading = isWanted;
            socket.config().setAutoRead(isWanted);
        }
    }
}
