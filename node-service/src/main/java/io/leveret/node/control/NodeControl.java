package io.leveret.node.control;

import org.jspecify.annotations.Nullable;

/** The process of a node, which stays when its broker is stopped. Any thread. */
public interface NodeControl {
    /** What the broker works with; null while it is stopped, starting or stopping. */
    @Nullable
    ControlScope scope();

    /** {@code starting}, {@code running}, {@code paused}, {@code stopping} or {@code stopped}. */
    String state();

    /**
     * Starts the broker; returns when it runs, or at once when it does.
     *
     * @throws IllegalStateException when it cannot start
     */
    void startBroker();

    /** Stops the broker in good order, and leaves the process. */
    void stopBroker();

    /**
     * Makes this node, a lone survivor, lead a cluster of its own from its next start on.
     *
     * @throws IllegalStateException when the broker is not stopped, or cannot do that
     */
    void forceBoot();
}
