package io.leveret.node.broker.definitions;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads what {@link ByteWriter} wrote. Anything else ends in {@link MalformedBytesException} and nothing worse. One thread. */
public final class ByteReader {
    private final ByteBuffer buffer;

    public ByteReader(byte[] bytes) {
        buffer = ByteBuffer.wrap(bytes);
    }

    /**
     * A reader over what {@link ByteWriter#sealed} gave.
     *
     * @throws MalformedBytesException when the check sum does not fit
     */
    public static ByteReader ofSealed(byte[] sealed) {
        int length = sealed.length - Integer.BYTES;
        if (length < 0) {
            throw new MalformedBytesException("too short for its check sum");
        }
        CRC32C crc = new CRC32C();
        crc.update(sealed, 0, length);
        if ((int) crc.getValue() != ByteBuffer.wrap(sealed).getInt(length)) {
            throw new MalformedBytesException("the check sum does not fit");
        }
        return new ByteReader(Arrays.copyOf(sealed, length));
    }

    public int u8() {
        need(1);
        return buffer.get() & 0xff;
    }

    public boolean bool() {
        int value = u8();
        if (value > 1) {
            throw new MalformedBytesException("not a boolean: " + value);
        }
        return value == 1;
    }

    /** See {@link ByteWriter#varint}. */
    public long varint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = u8();
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new MalformedBytesException("a number of more than ten bytes");
    }

    /** A number that fits an int. */
    public int intVarint() {
        long value = varint();
        if (value != (int) value) {
            throw new MalformedBytesException("a number out of range: " + value);
        }
        return (int) value;
    }

    /** A number of elements, each of at least one byte: so never more than there are bytes left. */
    public int count() {
        long value = varint();
        if (value < 0 || value > buffer.remaining()) {
            throw new MalformedBytesException("a count of " + value + " with " + buffer.remaining() + " bytes left");
        }
        return (int) value;
    }

    public long i64() {
        need(Long.BYTES);
        return buffer.getLong();
    }

    public int i32() {
        need(Integer.BYTES);
        return buffer.getInt();
    }

    public byte[] bytes() {
        byte[] value = new byte[count()];
        buffer.get(value);
        return value;
    }

    public String string() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    /** See {@link ByteWriter#optionalString}. */
    public @Nullable String optionalString() {
        return bool() ? string() : null;
    }

    /** See {@link ByteWriter#value}. */
    public @Nullable Object value() {
        return FieldValues.read(this, 0);
    }

    /** See {@link ByteWriter#table}. */
    public Map<String, Object> table() {
        return FieldValues.readTable(this, 0);
    }

    /** One of the values of an enum, written as its ordinal. */
    public <E extends Enum<E>> E constant(E[] values) {
        int ordinal = u8();
        if (ordinal >= values.length) {
            throw new MalformedBytesException("no constant " + ordinal);
        }
        return values[ordinal];
    }

    /** @throws MalformedBytesException when something is left */
    public void end() {
        if (buffer.hasRemaining()) {
            throw new MalformedBytesException(buffer.remaining() + " bytes too many");
        }
    }

    private void need(int count) {
        if (buffer.remaining() < count) {
            throw new MalformedBytesException("cut short");
        }
    }
}
