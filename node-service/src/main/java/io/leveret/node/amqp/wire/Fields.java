package io.leveret.node.amqp.wire;

import io.leveret.node.broker.message.FieldTableCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the fields of methods. */
final class Fields {
    static final int SHORT_STRING_BYTES_MAX = 255;

    private Fields() {}

    static void writeShortString(ByteBuf out, String text) {
        int at = out.writerIndex();
        out.writeByte(0);
        int length = ByteBufUtil.writeUtf8(out, text);
        if (length > SHORT_STRING_BYTES_MAX) {
            throw new IllegalArgumentException("a short string of " + length + " bytes");
        }
        out.setByte(at, length);
    }

    static void writeLongString(ByteBuf out, byte[] bytes) {
        out.writeInt(bytes.length);
        out.writeBytes(bytes);
    }

    static void writeTable(ByteBuf out, Map<String, @Nullable Object> table) {
        writeLongString(out, FieldTableCodec.encode(table));
    }

    static void writeBits(ByteBuf out, boolean... bits) {
        int octet = 0;
        for (int i = 0; i < bits.length; i++) {
            octet |= bits[i] ? 1 << i : 0;
        }
        out.writeByte(octet);
    }
}
