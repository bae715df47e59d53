package io.leveret.node.journal;

import io.leveret.node.runtime.NodeClock;

/** Time that goes on by one microsecond at each look. */
final class ManualClock implements NodeClock {
    private long nanos;

    @Override
    public synchronized long nanoTime() {
        nanos += 1000;
        return nanos;
    }

    @Override
    public long currentTimeMillis() {
        return nanoTime() / 1_000_000;
    }
}
