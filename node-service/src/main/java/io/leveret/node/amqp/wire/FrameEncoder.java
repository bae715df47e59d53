package io.leveret.node.amqp.wire;

import io.leveret.node.broker.message.Message;
import io.netty.buffer.ByteBuf;

/** Writes frames. */
public final class FrameEncoder {
    private static final int BASIC = BasicMethod.CLASS_ID;

    private FrameEncoder() {}

    /** A method frame. */
    public static void writeMethod(ByteBuf out, int channel, Method method) {
        int at = startFrame(out, FrameType.METHOD, channel);
        out.writeInt(method.id());
        method.write(out);
        endFrame(out, at);
    }

    public static void writeHeartbeat(ByteBuf out) {
        endFrame(out, startFrame(out, FrameType.HEARTBEAT, 0));
    }

    /** The header frame of a message. */
    public static void writeHeader(ByteBuf out, int channel, Message message) {
        byte[] header = message.header();
        out.ensureWritable(header.length + 12 + FrameType.OVERHEAD_BYTES);
        out.writeByte(FrameType.HEADER);
        out.writeShort(channel);
        out.writeInt(header.length + 12);
        out.writeInt(BASIC << 16); // class and weight
        out.writeLong(message.body().length);
        out.writeBytes(header);
        out.writeByte(FrameType.END);
    }

    /** One body frame with a part of the body. */
    public static void writeBody(ByteBuf out, int channel, byte[] body, int offset, int length) {
        out.ensureWritable(length + FrameType.OVERHEAD_BYTES);
        writeBodyHead(out, channel, length);
        out.writeBytes(body, offset, length);
        out.writeByte(FrameType.END);
    }

    /** The bytes before the payload of a body frame whose payload is written by other means. */
    public static void writeBodyHead(ByteBuf out, int channel, int length) {
        out.writeByte(FrameType.BODY);
        out.writeShort(channel);
        out.writeInt(length);
    }

    /** The byte after the payload of a frame. */
    public static void writeEnd(ByteBuf out) {
        out.writeByte(FrameType.END);
    }

    /** The payload that fits into one frame. */
    public static int payloadBytesMax(int frameBytesMax) {
        return frameBytesMax - FrameType.OVERHEAD_BYTES;
    }

    private static int startFrame(ByteBuf out, int type, int channel) {
        int at = out.writerIndex();
        out.writeByte(type);
        out.writeShort(channel);
        out.writeInt(0);
        return at;
    }

    private static void endFrame(ByteBuf out, int at) {
        out.setInt(at + 3, out.writerIndex() - at - FrameType.HEAD_BYTES);
        out.writeByte(FrameType.END);
    }
}
