package io.leveret.node.journal;

import java.nio.ByteBuffer;

/**
 * A piece of the log in memory, contiguous in one file: a mark, then records. Filled under the lock of the append buffer,
 * then sealed and written by the writing thread, then used again.
 */
final class Chunk {
    final ByteBuffer bytes;
    /** Position of the mark. */
    long position;
    /** End of the file before, when this is the first piece of a file; else {@link Journal#NOWHERE}. */
    long previousEnd;

    boolean startsFile;
    boolean isSealed;
    /** Bytes filled, and how many there may be before the file is full. */
    int used;

    int usedMax;

    private Chunk(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    /** One of those that are used again and again. */
    static Chunk pooled(int capacity) {
        return new Chunk(ByteBuffer.allocateDirect(capacity));
    }

    /** For one record that is too large for the others: in the heap, where its message is. */
    static Chunk single(int capacity) {
        return new Chunk(ByteBuffer.allocate(capacity));
    }

    void begin(long at, int sizeMax) {
        position = at;
        usedMax = Math.min(bytes.capacity(), sizeMax);
        startsFile = false;
        previousEnd = Journal.NOWHERE;
        isSealed = false;
        RecordFraming.putHeader(bytes, 0, RecordFraming.MARK_LENGTH, 0, RecordFraming.MARK, 0);
        used = RecordFraming.MARK_BYTES;
    }

    boolean fits(int size) {
        return used + size <= usedMax;
    }

    long end() {
        return position + used;
    }

    boolean covers(long at) {
        return at >= position && at < position + used;
    }
}
