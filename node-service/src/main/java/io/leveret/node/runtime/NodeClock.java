package io.leveret.node.runtime;

/** The two clocks of a node. Safety never depends on either. */
public interface NodeClock {
    /** Monotonic time, for time-outs. */
    long nanoTime();

    /** Wall-clock milliseconds since 1970, for what people read and for message deadlines. */
    long currentTimeMillis();
}
