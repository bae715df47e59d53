package io.leveret.node.amqp.wire;

/** The octets that begin and end frames. */
final class FrameType {
    static final int METHOD = 1;
    static final int HEADER = 2;
    static final int BODY = 3;
    static final int HEARTBEAT = 8;
    static final int END = 0xce;
    /** Type, channel, payload size. */
    static final int HEAD_BYTES = 7;
    /** Head and end. */
    static final int OVERHEAD_BYTES = 8;

    private FrameType() {}
}
