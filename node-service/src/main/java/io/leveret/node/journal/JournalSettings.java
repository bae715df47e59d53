package io.leveret.node.journal;

import java.util.concurrent.TimeUnit;

/**
 * Sizes and bounds of a journal.
 *
 * @param logFileBytes size of a write-ahead log file, preallocated and used again
 * @param logFilesMax full log files above this number are released; bounds the log, and with it the time of a recovery
 * @param segmentBytes a segment is closed when it has reached this size
 * @param bufferBytesMax congested when more than this is waiting to be written
 * @param groupBytesMax at most this is written before the next fsync
 * @param copyBytesPerSecond bound of the background's copying, lifted when the log is far above its size
 * @param lazyNanos how long appends may wait when nobody commits
 */
public record JournalSettings(
        int logFileBytes,
        int logFilesMax,
        int segmentBytes,
        int bufferBytesMax,
        int groupBytesMax,
        long copyBytesPerSecond,
        long lazyNanos) {
    private static final int MIB = 1 << 20;

    public JournalSettings {
        if (logFileBytes < 4096 || logFileBytes > Positions.OFFSET_MAX / 2 || segmentBytes > Positions.OFFSET_MAX / 2) {
            throw new IllegalArgumentException("file sizes are 4 KiB to 512 MiB");
        }
        if (logFilesMax < 1 || bufferBytesMax < 1 || groupBytesMax < 1 || copyBytesPerSecond < 1) {
            throw new IllegalArgumentException("bounds are positive");
        }
    }

    /** What a node uses unless told otherwise: 8 log files of 64 MiB. */
    public static JournalSettings standard() {
        return new JournalSettings(
                64 * MIB, 8, 64 * MIB, 32 * MIB, 4 * MIB, 64L * MIB, TimeUnit.MILLISECONDS.toNanos(100));
    }

    /** Small files, for tests. */
    public static JournalSettings small() {
        return new JournalSettings(64 << 10, 2, 64 << 10, MIB, 256 << 10, 64L * MIB, TimeUnit.MILLISECONDS.toNanos(10));
    }
}
