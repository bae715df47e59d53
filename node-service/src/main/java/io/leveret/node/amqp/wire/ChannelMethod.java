package io.leveret.node.amqp.wire;

import io.netty.buffer.ByteBuf;

/** Class channel. */
public sealed interface ChannelMethod extends Method {
    int CLASS_ID = 20;

    /** Client: opens a channel. */
    record Open() implements ChannelMethod {
        static final int ID = (CLASS_ID << 16) | 10;

        static Open read(MethodReader in) {
            in.shortString();
            return new Open();
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeByte(0);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onChannelOpen(this);
        }
    }

    /** Server: it is open. */
    record OpenOk() implements ChannelMethod {
        static final int ID = (CLASS_ID << 16) | 11;

        static OpenOk read(MethodReader in) {
            in.longString();
            return new OpenOk();
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeInt(0);
        }
    }

    /** Either side stops or starts the flow of messages. */
    record Flow(boolean isActive) implements ChannelMethod {
        static final int ID = (CLASS_ID << 16) | 20;

        static Flow read(MethodReader in) {
            int bits = in.octet();
            return new Flow((bits & 1) != 0);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            Fields.writeBits(out, isActive);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onChannelFlow(this);
        }
    }

    /** The other side has seen it. */
    record FlowOk(boolean isActive) implements ChannelMethod {
        static final int ID = (CLASS_ID << 16) | 21;

        static FlowOk read(MethodReader in) {
            int bits = in.octet();
            return new FlowOk((bits & 1) != 0);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            Fields.writeBits(out, isActive);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onChannelFlowOk(this);
        }
    }

    /** Either side ends the channel. */
    record Close(int replyCode, String replyText, int failedClassId, int failedMethodId) implements ChannelMethod {
        static final int ID = (CLASS_ID << 16) | 40;

        static Close read(MethodReader in) {
            int replyCode = in.shortInt();
            String replyText = in.shortString();
            int failedClassId = in.shortInt();
            int failedMethodId = in.shortInt();
            return new Close(replyCode, replyText, failedClassId, failedMethodId);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeShort(replyCode);
            Fields.writeShortString(out, replyText);
            out.writeShort(failedClassId);
            out.writeShort(failedMethodId);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onChannelClose(this);
        }
    }

    /** The other side has seen it. */
    record CloseOk() implements ChannelMethod {
        static final int ID = (CLASS_ID << 16) | 41;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onChannelCloseOk(this);
        }
    }
}
