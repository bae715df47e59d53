package io.leveret.node.runtime;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Faults that a part reported, so that the test which started it fails of them. */
public final class RecordedFaults implements FaultHandler {
    private final Queue<AssertionError> faults = new ConcurrentLinkedQueue<>();

    @Override
    public void fatal(String what, Throwable cause) {
        faults.add(new AssertionError(what, cause));
    }

    /** @throws AssertionError the first fault, with its cause, and all others as suppressed ones */
    public void assertNone() {
        AssertionError first = faults.poll();
        if (first != null) {
            faults.forEach(first::addSuppressed);
            throw first;
        }
    }
}
