package io.leveret.node.runtime;

/** The clocks of the machine. */
public final class SystemClock implements NodeClock {
    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long currentTimeMillis() {
        return System.currentTimeMillis();
    }
}
