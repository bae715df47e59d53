package io.leveret.node.cluster.peer;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a socket brings into frames and checks them. All complete frames of one read are copied out of the socket's
 * buffer together, and every payload is a part of that copy. Bound: one frame of the largest allowed length, plus one read.
 */
final class PeerFrameDecoder extends ChannelInboundHandlerAdapter {
    /** Where frames go. */
    interface Sink {
        /** Bytes came, though perhaps no whole frame. */
        default void heard() {}

        void frame(int classByte, int service, ByteBuffer payload);

        /** The other side does not keep to the format; nothing more is read. */
        void broken(String reason);

        void closed();
    }

    private final CRC32C crc = new CRC32C();
    private Sink sink;
    private int lengthMax = PeerFrame.HANDSHAKE_LENGTH_MAX;
    private boolean isBroken;
    private @Nullable ByteBuf kept;

    PeerFrameDecoder(Sink sink) {
        this.sink = sink;
    }

    /** The handshake is done: from the next frame on another sink and larger frames. */
    void open(Sink next) {
        sink = next;
        lengthMax = PeerFrame.LENGTH_MAX;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object read) {
        ByteBuf bytes = (ByteBuf) read;
        if (isBroken) {
            bytes.release();
            return;
        }
        sink.heard();
        ByteBuf all = join(context, bytes);
        kept = null;
        // A handshake frame changes the limit for the frames behind it, so these are looked at again.
        int complete = completeBytes(all);
        while (complete > 0) {
            byte[] frames = new byte[complete];
            all.readBytes(frames);
            dispatch(frames);
            complete = isBroken ? 0 : completeBytes(all);
        }
        keep(context, all);
    }

    private ByteBuf join(ChannelHandlerContext context, ByteBuf read) {
        ByteBuf before = kept;
        if (before == null) {
            return read;
        }
        if (before.writableBytes() < read.readableBytes()) {
            ByteBuf larger = context.alloc().buffer(before.readableBytes() + read.readableBytes());
            larger.writeBytes(before);
            before.release();
            before = larger;
        }
        before.writeBytes(read);
        read.release();
        return before;
    }

    /** Keeps an incomplete frame, in a buffer with room for all of it when its length is known. */
    private void keep(ChannelHandlerContext context, ByteBuf rest) {
        if (isBroken || !rest.isReadable()) {
            rest.release();
            return;
        }
        int wanted = PeerFrame.HEADER_BYTES;
        if (rest.readableBytes() >= 4) {
            wanted += rest.getInt(rest.readerIndex());
        }
        if (rest.writableBytes() < wanted - rest.readableBytes()) {
            ByteBuf larger = context.alloc().buffer(wanted);
            larger.writeBytes(rest);
            rest.release();
            kept = larger;
        } else {
            kept = rest;
        }
    }

    private int completeBytes(ByteBuf all) {
        int at = all.readerIndex();
        int end = all.writerIndex();
        while (end - at >= 4) {
            int length = all.getInt(at);
            if (length < PeerFrame.ADDRESS_BYTES || length > lengthMax) {
                if (at == all.readerIndex()) {
                    fail("a frame claims a length of " + length + " bytes");
                }
                break;
            }
            if (end - at < PeerFrame.HEADER_BYTES + length) {
                break;
            }
            at += PeerFrame.HEADER_BYTES + length;
            if (lengthMax == PeerFrame.HANDSHAKE_LENGTH_MAX) {
                break;
            }
        }
        return isBroken ? 0 : at - all.readerIndex();
    }

    private void dispatch(byte[] frames) {
        ByteBuffer view = ByteBuffer.wrap(frames);
        int at = 0;
        while (at < frames.length && !isBroken) {
            int length = view.getInt(at);
            int expected = view.getInt(at + 4);
            int from = at + PeerFrame.HEADER_BYTES;
            crc.reset();
            crc.update(frames, from, length);
            if ((int) crc.getValue() != expected) {
                fail("a frame's checksum is wrong");
                return;
            }
            int payload = from + PeerFrame.ADDRESS_BYTES;
            sink.frame(
                    frames[from] & 0xff,
                    frames[from + 1] & 0xff,
                    view.slice(payload, length - PeerFrame.ADDRESS_BYTES));
            at = from + length;
        }
    }

    /** Nothing more is read from this socket. */
    void stop() {
        isBroken = true;
    }

    private void fail(String reason) {
        isBroken = true;
        sink.broken(reason);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (kept != null) {
            kept.release();
            kept = null;
        }
        isBroken = true;
        sink.closed();
    }
}
