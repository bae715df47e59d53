package io.leveret.node.amqp.wire;

import io.netty.buffer.ByteBuf;

/** Bytes inside error texts, in the notation that clients' logs have from RabbitMQ: {@code <<0,20>>} or {@code <<"text">>}. */
final class Octets {
    private static final int SHOWN_MAX = 16;
    /** More would not fit into a short string anyway. */
    private static final int NUMBERS_MAX = 120;

    private Octets() {}

    /** "all octets = …" or "first 16 octets = …". */
    static String snippet(ByteBuf payload) {
        int length = payload.readableBytes();
        String which = length <= SHOWN_MAX ? "all" : "first " + SHOWN_MAX;
        return which + " octets = " + text(payload, Math.min(length, SHOWN_MAX));
    }

    /** Every byte as a number. */
    static String numbers(ByteBuf bytes) {
        return numbers(bytes, Math.min(bytes.readableBytes(), NUMBERS_MAX));
    }

    private static String text(ByteBuf bytes, int length) {
        StringBuilder text = new StringBuilder("<<\"");
        for (int i = 0; i < length; i++) {
            int octet = bytes.getUnsignedByte(bytes.readerIndex() + i);
            boolean isPrintable = (octet >= 32 && octet <= 126) || octet >= 160;
            if (!isPrintable) {
                return numbers(bytes, length);
            }
            if (octet == '"' || octet == '\\') {
                text.append('\\');
            }
            text.append((char) octet);
        }
        return length == 0 ? "<<>>" : text.append("\">>").toString();
    }

    private static String numbers(ByteBuf bytes, int length) {
        StringBuilder text = new StringBuilder("<<");
        for (int i = 0; i < length; i++) {
            text.append(i == 0 ? "" : ",").append(bytes.getUnsignedByte(bytes.readerIndex() + i));
        }
        return text.append(">>").toString();
    }
}
