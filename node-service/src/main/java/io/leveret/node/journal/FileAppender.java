package io.leveret.node.journal;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Adds records at the end of a file of the background's (segment, index, manifest), in writes of a megabyte. When a write
 * fails nothing is lost from memory: the next flush tries again.
 */
final class FileAppender {
    private static final int FLUSH_BYTES = 1 << 20;

    private final LogFile file;
    /** Position of offset 0: the seeds of the records come from it. */
    private final long base;

    private ByteBuffer waiting = ByteBuffer.allocate(16 << 10);
    private long written;

    FileAppender(LogFile file, long base, long offset) {
        this.file = file;
        this.base = base;
        this.written = offset;
    }

    LogFile file() {
        return file;
    }

    /** Where the next record goes. */
    int end() {
        return (int) (written + waiting.position());
    }

    boolean isFlushDue() {
        return waiting.position() >= FLUSH_BYTES;
    }

    /** Adds a record of what remains in the payload, and returns its offset. */
    int add(long stream, int type, int metaBytes, ByteBuffer payload) {
        int length = RecordFraming.HEADER_BYTES + payload.remaining();
        int size = RecordFraming.aligned(length);
        makeRoom(size);
        int at = waiting.position();
        int offset = end();
        RecordFraming.putHeader(waiting, at, length, stream, type, metaBytes);
        waiting.position(at + RecordFraming.HEADER_BYTES).put(payload);
        RecordFraming.seal(waiting, at, base + offset);
        waiting.clear().position(at + size);
        return offset;
    }

    /** Adds plain bytes, up to the next multiple of 8. */
    void addBytes(byte[] bytes) {
        int size = RecordFraming.aligned(bytes.length);
        makeRoom(size);
        int at = waiting.position();
        waiting.put(bytes);
        while (waiting.position() < at + size) {
            waiting.put((byte) 0);
        }
    }

    private void makeRoom(int size) {
        if (waiting.remaining() < size) {
            int needed = waiting.position() + size;
            ByteBuffer larger = ByteBuffer.allocate(Math.max(needed, 2 * waiting.capacity()));
            waiting = larger.put(waiting.flip());
        }
    }

    void flush() throws IOException {
        int bytes = waiting.position();
        if (bytes > 0) {
            file.write(waiting.duplicate().flip(), written);
            written += bytes;
            waiting.clear();
            if (waiting.capacity() > 2 * FLUSH_BYTES) {
                waiting = ByteBuffer.allocate(FLUSH_BYTES);
            }
        }
    }

    void force() throws IOException, FsyncFailedException {
        flush();
        try {
            file.force();
        } catch (IOException e) {
            throw new FsyncFailedException(file.name(), e);
        }
    }
}
