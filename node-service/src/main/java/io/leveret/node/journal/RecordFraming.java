package io.leveret.node.journal;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The frame of a record, 8-byte aligned:
 *
 * <pre>
 *  0 int   length of the record, this header included, padding not
 *  4 int   CRC32C over the record, taken with the seed of the position in this field
 *  8 long  stream
 * 16 byte  type
 * 17 byte  how many bytes of the payload are repeated in the index
 * 18 short 0
 * 20 payload, then zeros up to a multiple of 8
 * </pre>
 *
 * <p>The seed is made of the number of the file and the offset. Log files are used again, so that valid records of an earlier
 * use lie behind the last one; no sequence comes twice, so their CRC does not fit.
 */
final class RecordFraming {
    static final int HEADER_BYTES = 20;

    /** Internal types, above those of the owners. */
    static final int MARK = 240;

    static final int FOOTER = 241;
    static final int DROP = 242;
    static final int CHECKPOINT = 243;
    static final int SEGMENT = 244;
    static final int COMMIT = 245;
    static final int INDEX = 246;

    static final int TYPE_MAX = 255;

    /** A mark is the head of each piece of a group: up to which position all was durable when it was written. */
    static final int MARK_LENGTH = HEADER_BYTES + Long.BYTES;

    static final int MARK_BYTES = aligned(MARK_LENGTH);

    private static final int CRC_OFFSET = 4;
    private static final int STREAM_OFFSET = 8;
    private static final int TYPE_OFFSET = 16;
    private static final int META_OFFSET = 17;
    private static final int ZERO_OFFSET = 18;
    private static final int SPREAD = 0x9E3779B1;

    private RecordFraming() {}

    static int aligned(int length) {
        return length + 7 & ~7;
    }

    static int seed(long position) {
        return (int) (position >>> Positions.OFFSET_BITS) * SPREAD + Positions.offset(position);
    }

    static int length(ByteBuffer buffer, int at) {
        return buffer.getInt(at);
    }

    static long stream(ByteBuffer buffer, int at) {
        return buffer.getLong(at + STREAM_OFFSET);
    }

    static int type(ByteBuffer buffer, int at) {
        return buffer.get(at + TYPE_OFFSET) & 0xFF;
    }

    static int metaBytes(ByteBuffer buffer, int at) {
        return buffer.get(at + META_OFFSET) & 0xFF;
    }

    /** Whether this can be the header of a record that ends within so many bytes; cheap, before the CRC. */
    static boolean isPlausible(ByteBuffer buffer, int at, long available) {
        int length = length(buffer, at);
        return length >= HEADER_BYTES
                && length <= available
                && buffer.getShort(at + ZERO_OFFSET) == 0
                && metaBytes(buffer, at) <= length - HEADER_BYTES;
    }

    static void putHeader(ByteBuffer buffer, int at, int length, long stream, int type, int metaBytes) {
        buffer.putInt(at, length);
        buffer.putLong(at + STREAM_OFFSET, stream);
        buffer.put(at + TYPE_OFFSET, (byte) type);
        buffer.put(at + META_OFFSET, (byte) metaBytes);
        buffer.putShort(at + ZERO_OFFSET, (short) 0);
    }

    /** Fills in the CRC and the padding of the record at an index of the buffer. Moves position and limit. */
    static void seal(ByteBuffer buffer, int at, long position) {
        int length = length(buffer, at);
        for (int padding = length; padding < aligned(length); padding++) {
            buffer.put(at + padding, (byte) 0);
        }
        buffer.putInt(at + CRC_OFFSET, seed(position));
        buffer.putInt(at + CRC_OFFSET, crc(buffer, at, length));
    }

    /** Whether a plausible record is what was written at this position. Moves position and limit; the bytes are restored. */
    static boolean isIntact(ByteBuffer buffer, int at, long position) {
        int stored = buffer.getInt(at + CRC_OFFSET);
        buffer.putInt(at + CRC_OFFSET, seed(position));
        int computed = crc(buffer, at, length(buffer, at));
        buffer.putInt(at + CRC_OFFSET, stored);
        return stored == computed;
    }

    /** Makes the payload what remains in the buffer. */
    static ByteBuffer payload(ByteBuffer buffer, int at) {
        return buffer.limit(at + length(buffer, at)).position(at + HEADER_BYTES);
    }

    private static int crc(ByteBuffer buffer, int at, int length) {
        CRC32C crc = new CRC32C();
        crc.update(buffer.limit(at + length).position(at));
        return (int) crc.getValue();
    }
}
