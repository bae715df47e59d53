package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of bytes with the few number forms of our records. Reused: {@link #reset()} keeps the memory. */
final class RecordWriter {
    private static final int DOUBLED_BYTES_MAX = 1 << 20;

    private byte[] bytes;
    private int length;

    RecordWriter(int capacity) {
        bytes = new byte[capacity];
    }

    void reset() {
        length = 0;
    }

    int length() {
        return length;
    }

    /** What was written, without a copy: void with the next write. */
    ByteBuffer view() {
        return ByteBuffer.wrap(bytes, 0, length);
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }

    void putByte(int value) {
        require(1);
        bytes[length++] = (byte) value;
    }

    /** Unsigned, seven bits to a byte, low bits first: small numbers are short, and all 64 bits are allowed. */
    void putVar(long value) {
        require(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
    }

    void putId(MessageId id) {
        putVar(id.epoch());
        putVar(id.index());
    }

    void putBytes(byte[] value) {
        putVar(value.length);
        putRaw(value, 0, value.length);
    }

    void putRaw(byte[] value, int offset, int count) {
        require(count);
        System.arraycopy(value, offset, bytes, length, count);
        length += count;
    }

    void putBuffer(ByteBuffer source) {
        int count = source.remaining();
        require(count);
        source.get(bytes, length, count);
        length += count;
    }

    void putText(String value) {
        putBytes(value.getBytes(StandardCharsets.UTF_8));
    }

    private void require(int more) {
        if (bytes.length - length < more) {
            // The checkpoint of a long queue is the largest thing in memory: twice it does not fit into a small heap.
            int growth = bytes.length < DOUBLED_BYTES_MAX ? bytes.length : bytes.length / 4;
            bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length + growth));
        }
    }
}
