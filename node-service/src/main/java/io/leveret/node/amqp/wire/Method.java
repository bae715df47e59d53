package io.leveret.node.amqp.wire;

import io.netty.buffer.ByteBuf;

/** A method of AMQP 0-9-1: one record for each, grouped by class. */
public sealed interface Method
        permits ConnectionMethod, ChannelMethod, ExchangeMethod, QueueMethod, BasicMethod, ConfirmMethod, TxMethod {
    /** Class id in the high 16 bits, method id in the low ones. */
    int id();

    /** The arguments, without class and method id. */
    void write(ByteBuf out);

    /** Calls what the visitor has for this method. */
    default void accept(MethodVisitor visitor) {
        visitor.onUnexpected(this);
    }

    default int classId() {
        return id() >>> 16;
    }

    default int methodId() {
        return id() & 0xffff;
    }
}
