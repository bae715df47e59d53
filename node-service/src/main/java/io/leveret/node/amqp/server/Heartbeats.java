package io.leveret.node.amqp.server;

/**
 * When to send a heartbeat, and when the client has been silent for too long. Pure; {@link #tick} is called twice per
 * interval.
 *
 * <p>A heartbeat is due when nothing was sent since the last tick. The client is gone when two whole intervals in a row
 * brought nothing; while the connection itself does not read (it is blocked, or its publishes wait for answers) silence says
 * nothing.
 */
final class Heartbeats {
    private static final int SILENT_INTERVALS_MAX = 2;

    private long lastSent;
    private long lastReceived;
    private int silentIntervals;
    private boolean isWholeInterval;

    /**
     * One more half of an interval.
     *
     * @param sent frames sent so far
     * @param received a count that grows with everything received
     */
    Due tick(long sent, long received, boolean isReading) {
        boolean isSendDue = sent == lastSent;
        lastSent = isSendDue ? sent + 1 : sent; // a heartbeat is no reason to leave out the next
        isWholeInterval = !isWholeInterval;
        if (!isWholeInterval) {
            silentIntervals = received == lastReceived && isReading ? silentIntervals + 1 : 0;
            lastReceived = received;
            if (silentIntervals >= SILENT_INTERVALS_MAX) {
                return Due.GIVE_UP;
            }
        }
        return isSendDue ? Due.SEND : Due.NOTHING;
    }

    /** What a tick asks for. */
    enum Due {
        NOTHING,
        SEND,
        GIVE_UP
    }
}
