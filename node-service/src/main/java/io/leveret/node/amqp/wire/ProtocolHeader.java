package io.leveret.node.amqp.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.util.Arrays;

/** The eight bytes that open a connection. */
public final class ProtocolHeader {
    public static final int BYTES = 8;
    private static final int TLS_HANDSHAKE = 0x16;
    private static final byte[] AMQP_0_9_1 = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};
    /** How AMQP 0-9 asked for what 0-9-1 is compatible with. */
    private static final byte[] AMQP_0_9 = {'A', 'M', 'Q', 'P', 1, 1, 0, 9};

    private ProtocolHeader() {}

    /** Takes the header. @return whether it asks for a version that is spoken here */
    public static boolean read(ByteBuf in) {
        byte[] header = new byte[BYTES];
        in.readBytes(header);
        return Arrays.equals(header, AMQP_0_9_1) || Arrays.equals(header, AMQP_0_9);
    }

    /** Whether these first bytes, fewer than eight, can become a header at all. */
    public static boolean isPossible(ByteBuf in) {
        int length = Math.min(in.readableBytes(), 4);
        for (int i = 0; i < length; i++) {
            if (in.getByte(in.readerIndex() + i) != AMQP_0_9_1[i]) {
                return false;
            }
        }
        return true;
    }

    /** What a client began with instead, in words for a log. */
    public static String shown(ByteBuf in) {
        int length = Math.min(in.readableBytes(), BYTES);
        if (length > 1 && in.getByte(in.readerIndex()) == TLS_HANDSHAKE && in.getByte(in.readerIndex() + 1) == 3) {
            return "TLS on a port without TLS";
        }
        return "the bytes " + ByteBufUtil.hexDump(in, in.readerIndex(), length);
    }

    /** The header of the version that is spoken here, for clients that asked for another. */
    public static byte[] spoken() {
        return AMQP_0_9_1.clone();
    }
}
