package io.leveret.node.amqp.server;

import io.leveret.node.runtime.Cancellable;
import io.leveret.node.runtime.SerialExecutor;
import java.util.function.Supplier;

/** Does what {@link Heartbeats} asks for, twice per interval, on the connection's loop. */
final class HeartbeatTimer {
    private final SerialExecutor executor;
    private final Outbound out;
    private final Supplier<Received> received;
    private final Runnable giveUp;
    private final Heartbeats heartbeats = new Heartbeats();
    private Cancellable next = () -> {};

    /** What has come so far, and whether more is read. */
    record Received(long bytes, boolean isReading) {}

    /** @param giveUp runs when the client has been silent for too long; the timer has stopped then */
    HeartbeatTimer(SerialExecutor executor, Outbound out, Supplier<Received> received, Runnable giveUp) {
        this.executor = executor;
        this.out = out;
        this.received = received;
        this.giveUp = giveUp;
    }

    void start(long halfNanos) {
        next = executor.schedule(() -> tick(halfNanos), halfNanos);
    }

    private void tick(long halfNanos) {
        Received now = received.get();
        switch (heartbeats.tick(out.sentFrames(), now.bytes(), now.isReading())) {
            case SEND -> out.heartbeat();
            case GIVE_UP -> {
                giveUp.run();
                return;
            }
            default -> {
                // all is well
            }
        }
        start(halfNanos);
    }

    void stop() {
        next.cancel();
    }
}
