package io.leveret.node.amqp.server;

import io.leveret.node.runtime.Cancellable;
import io.leveret.node.runtime.SerialExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Stops listening to a client that does not read what it is sent. Deliveries stop earlier by themselves; what is left are the
 * answers to its own requests, confirms and returned messages. One that takes nothing for {@link #SILENT_SECONDS_MAX} is given up,
 * since it would hold that memory for ever. Owned by the connection's loop.
 */
final class UnreadWatch {
    /** More than all that is on its way to a consumer when its queue, on another node, hears that it should pause. */
    static final long UNREAD_BYTES_MAX = 16L << 20;

    static final int SILENT_SECONDS_MAX = 60;

    private final Sending sending;
    private final SerialExecutor executor;
    private final ReadingGate reading;
    private final Runnable giveUp;
    private boolean isMuch;
    private long takenBefore;
    private Cancellable timer = () -> {};

    /** What is sent to the client. */
    interface Sending {
        long sentBytes();

        /** Of these, and of what will be sent, not taken by the socket. */
        long pendingBytes();
    }

    UnreadWatch(Sending sending, SerialExecutor executor, ReadingGate reading, Runnable giveUp) {
        this.sending = sending;
        this.executor = executor;
        this.reading = reading;
        this.giveUp = giveUp;
    }

    /** Something was sent, or taken. */
    void look() {
        long pending = sending.pendingBytes();
        if (!isMuch && pending > UNREAD_BYTES_MAX) {
            isMuch = true;
            reading.unread(true);
            await();
        } else if (isMuch && pending < UNREAD_BYTES_MAX / 2) {
            isMuch = false;
            timer.cancel();
            reading.unread(false);
        }
    }

    boolean isMuch() {
        return isMuch;
    }

    private void await() {
        takenBefore = taken();
        timer = executor.schedule(this::judge, TimeUnit.SECONDS.toNanos(SILENT_SECONDS_MAX));
    }

    private void judge() {
        if (taken() == takenBefore) {
            giveUp.run();
        } else {
            await();
        }
    }

    private long taken() {
        return sending.sentBytes() - sending.pendingBytes();
    }

    void stop() {
        timer.cancel();
    }
}
