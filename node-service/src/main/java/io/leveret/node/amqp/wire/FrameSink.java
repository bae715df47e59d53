package io.leveret.node.amqp.wire;

import io.netty.buffer.ByteBuf;

/** Takes what the {@link FrameDecoder} finds, in order. Buffers are lent for the call. */
public interface FrameSink {
    void onMethod(int channel, Method method);

    /**
     * A content header.
     *
     * @param bodySize as announced; a negative value is an announcement above 2^63
     * @param properties flags and list, as {@link io.leveret.node.broker.message.Message#header} wants them
     */
    void onHeader(int channel, int classId, long bodySize, ByteBuf properties);

    void onBody(int channel, ByteBuf payload);

    /** That it came is all it says. */
    default void onHeartbeat() {}
}
