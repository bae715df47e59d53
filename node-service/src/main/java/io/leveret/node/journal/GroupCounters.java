package io.leveret.node.journal;

import io.leveret.node.runtime.NodeClock;

/** Counts groups and fsyncs of the log. Written by the writing thread alone, read by any. */
final class GroupCounters {
    private static final int BUCKETS = 24;

    private final NodeClock clock;
    private final long[] micros = new long[BUCKETS];
    private volatile long groups;
    private volatile long bytes;
    private volatile long fsyncs;
    private volatile long nanos;

    GroupCounters(NodeClock clock) {
        this.clock = clock;
    }

    long now() {
        return clock.nanoTime();
    }

    void group(long groupBytes) {
        bytes = bytes + groupBytes;
        groups = groups + 1;
    }

    void fsynced(long took) {
        int bucket = Math.min(BUCKETS - 1, 64 - Long.numberOfLeadingZeros(took / 1000));
        micros[bucket]++;
        nanos = nanos + took;
        fsyncs = fsyncs + 1;
    }

    long groups() {
        return groups;
    }

    long bytes() {
        return bytes;
    }

    long fsyncs() {
        return fsyncs;
    }

    long nanos() {
        return nanos;
    }

    long[] micros() {
        return micros.clone();
    }
}
