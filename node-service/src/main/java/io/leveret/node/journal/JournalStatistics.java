package io.leveret.node.journal;

/**
 * Counters since the start, and sizes now.
 *
 * @param fsyncMicros histogram: entry n counts fsyncs of the log that took less than 2^n microseconds and not less than half
 *     of that; the last entry counts all longer ones
 * @param copiedBytes bytes moved from the log, or from sparse segments, to segments
 */
public record JournalStatistics(
        long appendedRecords,
        long appendedBytes,
        long groups,
        long writtenBytes,
        long fsyncs,
        long fsyncNanos,
        long[] fsyncMicros,
        long readRecords,
        long copiedBytes,
        long releasedFiles,
        long bufferedBytes,
        int logFiles,
        int segments,
        long segmentBytes,
        boolean isCongested,
        boolean isDiskFull) {}
