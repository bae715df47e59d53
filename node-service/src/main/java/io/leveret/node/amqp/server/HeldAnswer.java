package io.leveret.node.amqp.server;

import io.leveret.node.broker.auth.LoginThrottle;
import io.leveret.node.runtime.Cancellable;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.SerialExecutor;
import java.net.InetAddress;

/**
 * The answer to one who failed to open a connection, held back for as long as the {@link LoginThrottle} says. The place among
 * those who wait is given back when the client has left ({@link #forget}). On the connection's loop.
 */
final class HeldAnswer {
    private final LoginThrottle throttle;
    private final InetAddress from;
    private final SerialExecutor executor;
    private final NodeClock clock;
    private boolean isHeld;
    private Cancellable timer = () -> {};

    HeldAnswer(LoginThrottle throttle, InetAddress from, SerialExecutor executor, NodeClock clock) {
        this.throttle = throttle;
        this.from = from;
        this.executor = executor;
        this.clock = clock;
    }

    /** A login has failed: the answer comes the later, the more have failed from its address. */
    void holdLogin(long usualNanos, Runnable answer, Runnable noRoom) {
        hold(usualNanos + throttle.failed(from, clock.nanoTime()), answer, noRoom);
    }

    /** @param noRoom runs instead, at once, when too many are waiting already */
    void hold(long nanos, Runnable answer, Runnable noRoom) {
        forget();
        if (nanos == 0) {
            answer.run();
        } else if (throttle.hold(from, clock.nanoTime())) {
            isHeld = true;
            timer = executor.schedule(answer, nanos);
        } else {
            noRoom.run();
        }
    }

    /** The client has left, or something else happens. */
    void forget() {
        timer.cancel();
        if (isHeld) {
            isHeld = false;
            throttle.release(from);
        }
    }
}
