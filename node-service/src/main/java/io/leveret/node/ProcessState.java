package io.leveret.node;

import java.util.Locale;
import java.util.function.Consumer;

/**
 * Where the broker of this process is in its life, and whether clients can be served. A majority that is lost or comes back
 * counts only while the broker runs: one that is stopping serves nobody. Any thread.
 */
final class ProcessState {
    private enum Phase {
        STOPPED,
        STARTING,
        RUNNING,
        STOPPING
    }

    private final Consumer<Boolean> readiness;
    private Phase phase = Phase.STOPPED;
    private boolean isPaused;

    /** @param readiness is told whether clients can be served */
    ProcessState(Consumer<Boolean> readiness) {
        this.readiness = readiness;
    }

    synchronized void starting() {
        phase = Phase.STARTING;
        isPaused = false;
    }

    void running() {
        enter(Phase.RUNNING);
        readiness.accept(isServing());
    }

    void paused(boolean isPausedNow) {
        if (pausedWhileRunning(isPausedNow)) {
            readiness.accept(isServing());
        }
    }

    private synchronized boolean pausedWhileRunning(boolean isPausedNow) {
        isPaused = isPausedNow;
        return phase == Phase.RUNNING;
    }

    void stopping() {
        enter(Phase.STOPPING);
        readiness.accept(false);
    }

    private synchronized void enter(Phase next) {
        phase = next;
    }

    private synchronized boolean isServing() {
        return phase == Phase.RUNNING && !isPaused;
    }

    synchronized void stopped() {
        phase = Phase.STOPPED;
    }

    synchronized boolean isStarting() {
        return phase == Phase.STARTING;
    }

    /** As the control API shows it. */
    synchronized String name() {
        return phase == Phase.RUNNING && isPaused ? "paused" : phase.name().toLowerCase(Locale.ROOT);
    }
}
