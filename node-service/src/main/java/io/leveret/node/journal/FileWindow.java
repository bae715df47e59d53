package io.leveret.node.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A stretch of a file in memory, moved along as records are read. For one thread. */
final class FileWindow {
    static final int BYTES = 256 << 10;
    private static final int SINGLE_READ_BYTES = 4 << 10;

    private ByteBuffer buffer;
    private @Nullable LogFile file;
    private long start;
    private int filled;
    private int at;

    FileWindow() {
        buffer = ByteBuffer.allocateDirect(BYTES);
    }

    /** Reads on from here as far as the window is wide: for going through a file. */
    @Nullable
    ByteBuffer record(LogFile from, long position) throws IOException {
        return record(from, position, BYTES);
    }

    /**
     * The payload of the intact record at a position, valid until the next call; null when there is none. Its header is told
     * by the methods below.
     *
     * @param ahead how much to read from here if it is not in memory
     */
    @Nullable
    ByteBuffer record(LogFile from, long position, int ahead) throws IOException {
        boolean wasInMemory = covers(from, Positions.offset(position));
        ByteBuffer payload = tryRecord(from, position, Math.max(ahead, SINGLE_READ_BYTES));
        if (payload == null && wasInMemory) {
            // What is in memory may be older than the record: the file grows, or is another one now.
            file = null;
            payload = tryRecord(from, position, Math.max(ahead, SINGLE_READ_BYTES));
        }
        return payload;
    }

    private @Nullable ByteBuffer tryRecord(LogFile from, long position, int ahead) throws IOException {
        int offset = Positions.offset(position);
        if (!load(from, offset, RecordFraming.HEADER_BYTES, ahead)) {
            return null;
        }
        if (!RecordFraming.isPlausible(buffer, at, Journal.PAYLOAD_BYTES_MAX + (long) RecordFraming.HEADER_BYTES)) {
            return null;
        }
        int length = RecordFraming.length(buffer, at);
        // Asks for the size of the file before it makes room for a record that a damaged length promises.
        if (at + length > filled && offset + (long) length > from.size()) {
            return null;
        }
        if (!load(from, offset, length, Math.max(ahead, length))) {
            return null;
        }
        return isIntact(at, position) ? RecordFraming.payload(buffer, at) : null;
    }

    /** Of the record last read. */
    long stream() {
        return RecordFraming.stream(buffer, at);
    }

    int type() {
        return RecordFraming.type(buffer, at);
    }

    int metaBytes() {
        return RecordFraming.metaBytes(buffer, at);
    }

    /** Bytes of the record last read, with header and padding. */
    int size() {
        return RecordFraming.aligned(RecordFraming.length(buffer, at));
    }

    /** The first mark at or behind an offset, and before the end; its offset, or -1. */
    int findMark(LogFile from, int offset, int end, long sequence) throws IOException {
        long start = Positions.inLog(sequence, RecordFraming.aligned(offset));
        return find(from, start, end, RecordFraming.MARK, RecordFraming.MARK_LENGTH);
    }

    /** The first intact record of one type and length at or behind a position, and before the end; its offset, or -1. */
    int find(LogFile from, long position, int end, int type, int length) throws IOException {
        int next = Positions.offset(position);
        long base = position - next;
        while (next + length <= end && load(from, next, length, BYTES)) {
            int last = (int) Math.min(end, start + filled) - length;
            for (; next <= last; next += 8) {
                int index = (int) (next - start);
                if (buffer.getInt(index) == length
                        && RecordFraming.type(buffer, index) == type
                        && isIntact(index, base + next)) {
                    at = index;
                    return next;
                }
            }
        }
        return -1;
    }

    private boolean isIntact(int index, long position) {
        boolean isIntact = RecordFraming.isIntact(buffer, index, position);
        buffer.clear();
        return isIntact;
    }

    /** What the mark last found says. */
    long markedDurable() {
        return buffer.getLong(at + RecordFraming.HEADER_BYTES);
    }

    /** Forgets what is in memory: the file is another one now. */
    void reset() {
        file = null;
        if (buffer.capacity() > BYTES) {
            buffer = ByteBuffer.allocateDirect(BYTES);
        }
    }

    private boolean covers(LogFile from, long offset) {
        return sameFile(from) && offset >= start && offset < start + filled;
    }

    @SuppressWarnings("ReferenceEquality") // the window holds a part of this very file
    private boolean sameFile(LogFile from) {
        return file == from;
    }

    private boolean load(LogFile from, long offset, int bytes, int ahead) throws IOException {
        buffer.clear();
        if (!sameFile(from) || offset < start || offset + bytes > start + filled) {
            int wanted = Math.max(bytes, Math.min(ahead, BYTES));
            if (wanted > buffer.capacity() || (buffer.capacity() > BYTES && wanted <= BYTES)) {
                buffer = wanted > BYTES ? ByteBuffer.allocate(wanted) : ByteBuffer.allocateDirect(BYTES);
            }
            file = null;
            filled = from.read(buffer.limit(wanted), offset);
            buffer.clear();
            start = offset;
            file = from;
        }
        at = (int) (offset - start);
        return offset + bytes <= start + filled;
    }
}
