package io.leveret.node.broker.definitions;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Writes the binary forms of definitions and metadata: big-endian, variable-length integers, strings as UTF-8. One thread. */
public final class ByteWriter {
    private static final int FIRST_BYTES = 256;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int size;

    public void u8(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
    }

    public void bool(boolean value) {
        u8(value ? 1 : 0);
    }

    /** Seven bits a byte, low ones first, the top bit says that more follow; ten bytes for a negative number. */
    public void varint(long value) {
        ensure(10);
        long left = value;
        while ((left & ~0x7fL) != 0) {
            bytes[size++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        bytes[size++] = (byte) left;
    }

    public void i64(long value) {
        ensure(Long.BYTES);
        ByteBuffer.wrap(bytes).putLong(size, value);
        size += Long.BYTES;
    }

    public void i32(int value) {
        ensure(Integer.BYTES);
        ByteBuffer.wrap(bytes).putInt(size, value);
        size += Integer.BYTES;
    }

    public void bytes(byte[] value) {
        varint(value.length);
        ensure(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
    }

    public void string(String value) {
        bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    /** A string that may be missing. */
    public void optionalString(@Nullable String value) {
        bool(value != null);
        if (value != null) {
            string(value);
        }
    }

    /** A field-table or JSON value. */
    public void value(@Nullable Object value) {
        FieldValues.write(this, value);
    }

    /** A field table; the keys are sorted. */
    public void table(Map<String, ?> table) {
        FieldValues.writeTable(this, table);
    }

    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    /** What was written, followed by its CRC-32C. */
    public byte[] sealed() {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, size);
        i32((int) crc.getValue());
        return toByteArray();
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), (int)
                    Math.min(2L * bytes.length, Integer.MAX_VALUE - 8)));
        }
    }
}
