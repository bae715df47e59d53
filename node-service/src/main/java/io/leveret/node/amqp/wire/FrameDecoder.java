package io.leveret.node.amqp.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Cuts bytes into frames, and method frames into methods. Keeps no bytes: an incomplete frame stays in the caller's buffer,
 * and its size is refused before its payload is awaited, so a frame costs at most the negotiated bound. After a fault in the
 * framing itself nothing that follows can be understood ({@link #isLost}).
 */
public final class FrameDecoder {
    /** Class, weight, body size. */
    private static final int CONTENT_HEADER_BYTES = 12;

    /** The frame of connection.close-ok. */
    private static final byte[] CLOSE_OK = {
        FrameType.METHOD, 0, 0, 0, 0, 0, 4, 0, ConnectionMethod.CLASS_ID, 0, 51, (byte) FrameType.END
    };

    private final FrameSink sink;
    private final MethodReader reader = new MethodReader(Unpooled.EMPTY_BUFFER);
    private int frameBytesMax;
    private boolean isLost;
    private long frames;

    public FrameDecoder(FrameSink sink, int frameBytesMax) {
        this.sink = sink;
        this.frameBytesMax = frameBytesMax;
    }

    /** The bound that was negotiated. */
    public void setFrameBytesMax(int bytes) {
        frameBytesMax = bytes;
    }

    public boolean isLost() {
        return isLost;
    }

    /** Whether the bytes end with the client's agreement to a close: all that is still understood when framing is lost. */
    public static boolean endsWithCloseOk(ByteBuf in) {
        int at = in.writerIndex() - CLOSE_OK.length;
        if (at < in.readerIndex()) {
            return false;
        }
        for (int i = 0; i < CLOSE_OK.length; i++) {
            if (in.getByte(at + i) != CLOSE_OK[i]) {
                return false;
            }
        }
        return true;
    }

    /** Frames decoded so far. */
    public long frames() {
        return frames;
    }

    /**
     * Gives the next frame to the sink.
     *
     * @return false when it is not complete yet
     * @throws AmqpException for bytes that are no AMQP, or whatever the sink throws; the frame has been taken
     */
    public boolean decodeNext(ByteBuf in) {
        if (in.readableBytes() < FrameType.HEAD_BYTES) {
            return false;
        }
        int at = in.readerIndex();
        int type = in.getUnsignedByte(at);
        long size = in.getUnsignedInt(at + 3);
        if (size > frameBytesMax - FrameType.OVERHEAD_BYTES) {
            isLost = true;
            throw AmqpException.connection(
                    ReplyCode.FRAME_ERROR,
                    "type " + type + ", all octets = <<>>: {frame_too_large," + size + ","
                            + (frameBytesMax - FrameType.OVERHEAD_BYTES) + "}");
        }
        if (in.readableBytes() < size + FrameType.OVERHEAD_BYTES) {
            return false;
        }
        int channel = in.getUnsignedShort(at + 1);
        int start = at + FrameType.HEAD_BYTES;
        int end = start + (int) size;
        in.readerIndex(end + 1);
        frames++;
        int last = in.getUnsignedByte(end);
        if (last != FrameType.END) {
            isLost = true;
            throw frameError(type, in.slice(start, end - start), "{invalid_frame_end_marker," + last + "}");
        }
        take(type, channel, in, start, end);
        return true;
    }

    private void take(int type, int channel, ByteBuf in, int start, int end) {
        switch (type) {
            case FrameType.METHOD -> takeMethod(channel, in, start, end);
            case FrameType.HEADER -> takeHeader(channel, in, start, end);
            case FrameType.BODY -> sink.onBody(channel, in.slice(start, end - start));
            case FrameType.HEARTBEAT -> takeHeartbeat(channel, in.slice(start, end - start));
            default -> throw frameError(type, in.slice(start, end - start), "unknown_frame");
        }
    }

    private void takeMethod(int channel, ByteBuf in, int start, int end) {
        if (end - start < 4) {
            throw frameError(FrameType.METHOD, in.slice(start, end - start), "unknown_frame");
        }
        int classId = in.getUnsignedShort(start);
        int methodId = in.getUnsignedShort(start + 2);
        int after = in.readerIndex();
        in.readerIndex(start + 4);
        reader.start(in, end);
        Method method;
        try {
            method = Methods.read(classId, methodId, reader);
            if (!reader.isAtEnd()) {
                throw MethodReader.Truncated.INSTANCE;
            }
        } catch (MethodReader.Truncated e) {
            String octets = Octets.numbers(in.slice(start + 4, end - start - 4));
            throw AmqpException.connection(ReplyCode.FRAME_ERROR, "cannot decode " + octets)
                    .at(classId, methodId);
        } catch (AmqpException e) {
            throw e.code() == ReplyCode.SYNTAX_ERROR ? e.at(classId, methodId) : e;
        } finally {
            in.readerIndex(after);
        }
        sink.onMethod(channel, method);
    }

    private void takeHeader(int channel, ByteBuf in, int start, int end) {
        if (end - start < CONTENT_HEADER_BYTES + 2) {
            throw frameError(FrameType.HEADER, in.slice(start, end - start), "unknown_frame");
        }
        sink.onHeader(
                channel,
                in.getUnsignedShort(start),
                in.getLong(start + 4),
                in.slice(start + CONTENT_HEADER_BYTES, end - start - CONTENT_HEADER_BYTES));
    }

    private void takeHeartbeat(int channel, ByteBuf payload) {
        if (payload.isReadable()) {
            throw frameError(FrameType.HEARTBEAT, payload, "unknown_frame");
        } else if (channel != 0) {
            throw unexpected(FrameType.HEARTBEAT, payload);
        }
        sink.onHeartbeat();
    }

    /** For a frame of a kind that cannot come on channel 0. */
    public static AmqpException unexpectedHeader(ByteBuf properties) {
        return unexpected(FrameType.HEADER, properties);
    }

    /** For a frame of a kind that cannot come on channel 0. */
    public static AmqpException unexpectedBody(ByteBuf payload) {
        return unexpected(FrameType.BODY, payload);
    }

    private static AmqpException unexpected(int type, ByteBuf payload) {
        return AmqpException.connection(ReplyCode.UNEXPECTED_FRAME, "type " + type + ", " + Octets.snippet(payload));
    }

    private static AmqpException frameError(int type, ByteBuf payload, String what) {
        return AmqpException.connection(
                ReplyCode.FRAME_ERROR, "type " + type + ", " + Octets.snippet(payload) + ": " + what);
    }
}
