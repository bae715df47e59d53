package io.leveret.node.broker.message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of big-endian bytes. */
final class ByteSink {
    private byte[] bytes = new byte[64];
    private int size;

    int size() {
        return size;
    }

    void writeByte(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
    }

    void writeShort(int value) {
        writeByte(value >> 8);
        writeByte(value);
    }

    void writeInt(int value) {
        writeShort(value >> 16);
        writeShort(value);
    }

    void writeLong(long value) {
        writeInt((int) (value >> 32));
        writeInt((int) value);
    }

    void writeBytes(byte[] value) {
        writeBytes(value, 0, value.length);
    }

    void writeBytes(byte[] from, int offset, int length) {
        ensure(length);
        System.arraycopy(from, offset, bytes, size, length);
        size += length;
    }

    /** @throws FieldTableException when the text has more than 255 bytes of UTF-8 */
    void writeShortString(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > 255) {
            throw new FieldTableException("a short string is longer than 255 bytes");
        }
        writeByte(utf8.length);
        writeBytes(utf8);
    }

    void writeLongString(byte[] value) {
        writeInt(value.length);
        writeBytes(value);
    }

    /** Puts a length into a place that was left for it. */
    void setInt(int at, int value) {
        bytes[at] = (byte) (value >> 24);
        bytes[at + 1] = (byte) (value >> 16);
        bytes[at + 2] = (byte) (value >> 8);
        bytes[at + 3] = (byte) value;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, more)));
        }
    }
}
