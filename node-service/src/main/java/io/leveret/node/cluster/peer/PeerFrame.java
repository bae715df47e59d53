package io.leveret.node.cluster.peer;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The layout of a frame: {@code length u32, crc32c u32, class u8, service u8, payload}. The length counts what follows the
 * checksum, the checksum covers it.
 */
final class PeerFrame {
    static final int HEADER_BYTES = 8;
    static final int ADDRESS_BYTES = 2;
    /** The class byte of frames of the link itself. */
    static final int CONTROL = 0xff;

    static final int HELLO = 1;
    static final int CHALLENGE = 2;
    static final int PROOF = 3;
    static final int WELCOME = 4;
    static final int REFUSED = 5;
    static final int CREDIT = 6;
    static final int PING = 7;

    static final int LENGTH_MAX = PeerTransport.PAYLOAD_BYTES_MAX + ADDRESS_BYTES;
    /** Before the other side has proved the secret it may not make this node keep more than this. */
    static final int HANDSHAKE_LENGTH_MAX = 2048;

    private PeerFrame() {}

    /** Appends a frame. The buffer has room for it. */
    static void append(ByteBuf out, CRC32C crc, int classByte, int service, ByteBuffer... parts) {
        int start = out.writerIndex();
        out.writeLong(0).writeByte(classByte).writeByte(service);
        for (ByteBuffer part : parts) {
            out.writeBytes(part.duplicate());
        }
        int length = out.writerIndex() - start - HEADER_BYTES;
        crc.reset();
        crc.update(out.internalNioBuffer(start + HEADER_BYTES, length));
        out.setInt(start, length).setInt(start + 4, (int) crc.getValue());
    }

    static int sizeOf(ByteBuffer... parts) {
        int size = HEADER_BYTES + ADDRESS_BYTES;
        for (ByteBuffer part : parts) {
            size = Math.addExact(size, part.remaining());
        }
        return size;
    }
}
