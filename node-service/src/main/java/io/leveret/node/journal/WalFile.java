package io.leveret.node.journal;

/**
 * One file of the write-ahead log. The writing thread fills it; once complete it never changes, and the background may
 * release it.
 */
final class WalFile {
    final long sequence;
    final LogFile file;
    final StreamTable streams;
    /** End of its records; only written by the writing thread, together with the rest visible through isComplete. */
    long end;

    volatile boolean isComplete;

    WalFile(long sequence, LogFile file, StreamTable streams) {
        this.sequence = sequence;
        this.file = file;
        this.streams = streams;
        this.end = Positions.inLog(sequence, LogFileHeader.BYTES);
    }

    long start() {
        return Positions.inLog(sequence, LogFileHeader.BYTES);
    }

    static String name(long sequence) {
        return String.format("log-%016x", sequence);
    }

    /** A new file; made while the log of this sequence was the newest. Not the name of that one when it becomes a spare. */
    static String freshName(long sequence) {
        return String.format("fresh-%016x", sequence);
    }

    static String spareName(long sequence) {
        return String.format("spare-%016x", sequence);
    }
}
