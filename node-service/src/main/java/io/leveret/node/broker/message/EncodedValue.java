package io.leveret.node.broker.message;

import java.util.Map;
import java.util.Set;

/**
 * A value in a field table as it came: its letter and its content. Where it is put into a table again it is the same bytes,
 * which it need not be once it was decoded: several letters are read as one type. Immutable; a part of bytes that nobody writes.
 */
public final class EncodedValue {
    /** The letter of a table, and its length. */
    private static final int TABLE_HEAD = 5;

    private final byte[] bytes;
    private final int offset;
    private final int length;

    /** @param bytes known to have one whole value there */
    EncodedValue(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
    }

    /**
     * A table with these fields before its others, and in place of those of the same names.
     *
     * @throws IllegalStateException when this is no table
     */
    public EncodedValue withFields(Map<String, ?> fields) {
        if (bytes[offset] != 'F') {
            throw new IllegalStateException("not a table, but of type " + (char) bytes[offset]);
        }
        ByteSink sink = new ByteSink();
        sink.writeByte('F');
        sink.writeLongString(FieldTableCodec.splice(bytes, offset + TABLE_HEAD, length - TABLE_HEAD, Set.of(), fields));
        byte[] changed = sink.toBytes();
        return new EncodedValue(changed, 0, changed.length);
    }

    void writeTo(ByteSink out) {
        out.writeBytes(bytes, offset, length);
    }
}
