package io.leveret.node;

import java.util.function.Consumer;

/**
 * Where the broker of this process is in its life, and whether clients can be served. A majority that is lost or comes back
 * counts only while the broker runs: one that is stopping serves nobody. Any thread.
 */
final class ProcessState {
    private static final String STOPPED = "stopped";
    private static final String STARTING = "starting";
    private static final String RUNNING = "running";

    private final Consumer<Boolean> readiness;
    private String phase = STOPPED;
    private boolean isPaused;

    /** @param readiness is told whether clients can be served */
    ProcessState(Consumer<Boolean> readiness) {
        this.readiness = readiness;
    }

    synchronized void starting() {
        phase = STARTING;
        isPaused = false;
    }

    void running() {
        enter(RUNNING);
        readiness.accept(isServing());
    }

    void paused(boolean isPausedNow) {
        if (pausedWhileRunning(isPausedNow)) {
            readiness.accept(isServing());
        }
    }

    private synchronized boolean pausedWhileRunning(boolean isPausedNow) {
        isPaused = isPausedNow;
        return phase.equals(RUNNING);
    }

    void stopping() {
        enter("stopping");
        readiness.accept(false);
    }

    private synchronized void enter(String next) {
        phase = next;
    }

    private synchronized boolean isServing() {
        return phase.equals(RUNNING) && !isPaused;
    }

    synchronized void stopped() {
        phase = STOPPED;
    }

    synchronized boolean isStarting() {
        return phase.equals(STARTING);
    }

    /** As the control API shows it. */
    synchronized String name() {
        return phase.equals(RUNNING) && isPaused ? "paused" : phase;
    }
}
