package io.leveret.node.journal;

/** How a position is made: [1 bit 0][1 bit segment?][32 bits number of the file][30 bits offset]. */
final class Positions {
    static final int OFFSET_BITS = 30;
    static final long OFFSET_MAX = (1L << OFFSET_BITS) - 1;
    private static final long SEGMENT = 1L << 62;

    private Positions() {}

    static long inLog(long sequence, long offset) {
        return sequence << OFFSET_BITS | offset;
    }

    static long inSegment(long number, long offset) {
        return SEGMENT | number << OFFSET_BITS | offset;
    }

    static boolean isInSegment(long position) {
        return (position & SEGMENT) != 0;
    }

    /** The sequence of a log file, or the number of a segment. */
    static long file(long position) {
        return (position & ~SEGMENT) >>> OFFSET_BITS;
    }

    static int offset(long position) {
        return (int) (position & OFFSET_MAX);
    }
}
