package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.CodecException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads what {@link RecordWriter} wrote; anything else is a {@link CodecException}, and never more memory than bytes. */
final class RecordReader {
    private final byte[] bytes;
    private final int end;
    private int position;

    RecordReader(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.position = offset;
        this.end = offset + length;
    }

    RecordReader(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    /** What was not read yet, to its end. */
    ByteBuffer rest() {
        ByteBuffer rest = ByteBuffer.wrap(bytes, position, end - position);
        position = end;
        return rest;
    }

    /** The next so many bytes, as a reader of their own. */
    RecordReader part(int length) {
        if (length > remaining()) {
            throw new CodecException("a part of " + length + " bytes of " + remaining());
        }
        RecordReader part = new RecordReader(bytes, position, length);
        position += length;
        return part;
    }

    int remaining() {
        return end - position;
    }

    int getByte() {
        if (position >= end) {
            throw new CodecException("a record ends too early");
        }
        return bytes[position++] & 0xFF;
    }

    boolean getFlag() {
        int value = getByte();
        if (value > 1) {
            throw new CodecException("a flag is " + value);
        }
        return value == 1;
    }

    long getVar() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = getByte();
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                if (shift == 63 && next > 1) {
                    break;
                }
                return value;
            }
        }
        throw new CodecException("a number has more than 64 bits");
    }

    /** A number of things that follow, each at least one byte long: so it cannot ask for memory that was not sent. */
    int getCount() {
        long value = getVar();
        if (value < 0 || value > remaining()) {
            throw new CodecException("a count of " + value + " with " + remaining() + " bytes left");
        }
        return (int) value;
    }

    int getInt() {
        long value = getVar();
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new CodecException("a number of " + value + " is out of range");
        }
        return (int) value;
    }

    MessageId getId() {
        return new MessageId(getVar(), getVar());
    }

    byte[] getBytes() {
        int count = getCount();
        byte[] value = Arrays.copyOfRange(bytes, position, position + count);
        position += count;
        return value;
    }

    /** The next so many bytes. */
    byte[] getRaw(int count) {
        if (count < 0 || count > remaining()) {
            throw new CodecException(count + " bytes of " + remaining());
        }
        byte[] value = Arrays.copyOfRange(bytes, position, position + count);
        position += count;
        return value;
    }

    String getText() {
        int count = getCount();
        String value = new String(bytes, position, count, StandardCharsets.UTF_8);
        position += count;
        return value;
    }

    /** Everything was read: a longer record is one that we do not understand. */
    void expectEnd() {
        if (position != end) {
            throw new CodecException(remaining() + " bytes too many");
        }
    }
}
