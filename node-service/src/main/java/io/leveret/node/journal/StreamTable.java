package io.leveret.node.journal;

import java.util.Arrays;

/**
 * The streams that have records in one log file: how many, and where the last is. Open addressing over plain arrays, with
 * the last stream at hand: it is updated for every record.
 */
final class StreamTable {
    private static final int CAPACITY_MIN = 16;

    private long[] streams = new long[CAPACITY_MIN];
    private long[] lasts = new long[CAPACITY_MIN];
    /** 0: the slot is free. */
    private int[] counts = new int[CAPACITY_MIN];

    private int size;
    private int recent;

    /** Counts a record. The last position stays when the given one is {@link Journal#NOWHERE}. */
    void add(long stream, long position) {
        int slot = recent;
        if (counts[slot] == 0 || streams[slot] != stream) {
            slot = slot(stream);
            if (counts[slot] == 0 && size >= streams.length / 2) {
                grow();
                slot = slot(stream);
            }
            recent = slot;
        }
        if (counts[slot] == 0) {
            size++;
            streams[slot] = stream;
            lasts[slot] = Journal.NOWHERE;
        }
        counts[slot]++;
        if (position != Journal.NOWHERE) {
            lasts[slot] = position;
        }
    }

    int count(long stream) {
        return counts[slot(stream)];
    }

    /** Position of the last record that is the owner's, or {@link Journal#NOWHERE}. */
    long last(long stream) {
        int slot = slot(stream);
        return counts[slot] == 0 ? Journal.NOWHERE : lasts[slot];
    }

    /** The streams, in ascending order. */
    long[] streams() {
        long[] result = new long[size];
        int next = 0;
        for (int slot = 0; slot < streams.length; slot++) {
            if (counts[slot] != 0) {
                result[next++] = streams[slot];
            }
        }
        Arrays.sort(result);
        return result;
    }

    private int slot(long stream) {
        int mask = streams.length - 1;
        long spread = stream * 0x9E3779B97F4A7C15L;
        int slot = (int) (spread >>> 32) & mask;
        while (counts[slot] != 0 && streams[slot] != stream) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldStreams = streams;
        long[] oldLasts = lasts;
        int[] oldCounts = counts;
        streams = new long[oldStreams.length * 2];
        lasts = new long[streams.length];
        counts = new int[streams.length];
        for (int old = 0; old < oldStreams.length; old++) {
            if (oldCounts[old] != 0) {
                int slot = slot(oldStreams[old]);
                streams[slot] = oldStreams[old];
                lasts[slot] = oldLasts[old];
                counts[slot] = oldCounts[old];
            }
        }
    }
}
