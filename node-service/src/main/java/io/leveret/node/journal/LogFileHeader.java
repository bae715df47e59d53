package io.leveret.node.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The first 64 bytes of every file of the journal.
 *
 * @param magic which kind of file
 * @param number sequence of a log file, number of a segment or manifest
 * @param previousEnd for a log file: the position at which the log before it ends
 * @param durable for a log file: what was durable when it was begun
 */
record LogFileHeader(long magic, long number, long previousEnd, long durable) {
    static final int BYTES = 64;
    /** The magics are eight ASCII characters each: LEVRTLOG, LEVRTSEG, LEVRTIDX, LEVRTMAN. */
    static final long LOG = 0x4C455652544C4F47L;

    static final long SEGMENT = 0x4C45565254534547L;
    static final long INDEX = 0x4C45565254494458L;
    static final long MANIFEST = 0x4C455652544D414EL;
    private static final int VERSION = 1;
    private static final int CRC_OFFSET = 12;

    void write(LogFile file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.putLong(magic)
                .putInt(VERSION)
                .putInt(0)
                .putLong(number)
                .putLong(previousEnd)
                .putLong(durable);
        bytes.putInt(CRC_OFFSET, crc(bytes));
        file.write(bytes.rewind(), 0);
    }

    /** The header, or null when there is none that is whole. */
    static @Nullable LogFileHeader read(LogFile file, long magic) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        if (file.read(bytes, 0) < BYTES || bytes.getLong(0) != magic) {
            return null;
        }
        int stored = bytes.getInt(CRC_OFFSET);
        if (stored != crc(bytes.putInt(CRC_OFFSET, 0))) {
            return null;
        }
        int version = bytes.getInt(8);
        if (version != VERSION) {
            throw new IOException(file.name() + " has format version " + version + ", this is " + VERSION);
        }
        return new LogFileHeader(magic, bytes.getLong(16), bytes.getLong(24), bytes.getLong(32));
    }

    private static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.limit(BYTES).position(0));
        return (int) crc.getValue();
    }
}
