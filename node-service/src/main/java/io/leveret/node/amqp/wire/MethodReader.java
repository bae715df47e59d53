package io.leveret.node.amqp.wire;

import io.leveret.node.broker.message.FieldTableCodec;
import io.leveret.node.broker.message.FieldTableException;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the fields of one method after the other. One per connection. */
final class MethodReader {
    private final ShortStrings names = new ShortStrings();
    private final byte[] scratch = new byte[Fields.SHORT_STRING_BYTES_MAX];
    private ByteBuf in;
    private int end;

    MethodReader(ByteBuf nothing) {
        in = nothing;
    }

    /** Begins with a method's arguments, which end at this index of the buffer. */
    void start(ByteBuf buffer, int endIndex) {
        in = buffer;
        end = endIndex;
    }

    boolean isAtEnd() {
        return in.readerIndex() == end;
    }

    int octet() {
        return need(1).readUnsignedByte();
    }

    int shortInt() {
        return need(2).readUnsignedShort();
    }

    int longInt() {
        return need(4).readInt();
    }

    long longLong() {
        return need(8).readLong();
    }

    byte[] longString() {
        int length = longInt();
        if (length < 0) {
            throw Truncated.INSTANCE;
        }
        ByteBuf buffer = need(length);
        byte[] bytes = new byte[length];
        buffer.readBytes(bytes);
        return bytes;
    }

    Map<String, @Nullable Object> table() {
        byte[] bytes = longString();
        try {
            return FieldTableCodec.decode(bytes);
        } catch (FieldTableException e) {
            throw AmqpException.connection(ReplyCode.SYNTAX_ERROR, String.valueOf(e.getMessage()));
        }
    }

    String shortString() {
        int length = octet();
        return shortString(length, false);
    }

    /** A short string that is likely to come again: an exchange name or routing key of a publish. */
    String name() {
        int length = octet();
        return shortString(length, true);
    }

    private String shortString(int length, boolean isRemembered) {
        if (length == 0) {
            return "";
        }
        need(length).readBytes(scratch, 0, length);
        int hash = 0;
        int signs = 0;
        for (int i = 0; i < length; i++) {
            hash = 31 * hash + scratch[i];
            signs |= scratch[i];
        }
        if (signs < 0) {
            return utf8(length);
        }
        return isRemembered
                ? names.ascii(scratch, length, hash)
                : new String(scratch, 0, length, StandardCharsets.ISO_8859_1);
    }

    private String utf8(int length) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(scratch, 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw AmqpException.connection(ReplyCode.FRAME_ERROR, "Malformed UTF-8 in shortstr");
        }
    }

    private ByteBuf need(int bytes) {
        if (end - in.readerIndex() < bytes) {
            throw Truncated.INSTANCE;
        }
        return in;
    }

    /** The arguments end too early: the frame decoder, which has the bytes, says so. */
    static final class Truncated extends RuntimeException {
        static final Truncated INSTANCE = new Truncated();

        private Truncated() {
            super("truncated", null, false, false);
        }
    }
}
