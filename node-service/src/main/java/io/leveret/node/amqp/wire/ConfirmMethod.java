package io.leveret.node.amqp.wire;

import io.netty.buffer.ByteBuf;

/** Class confirm. */
public sealed interface ConfirmMethod extends Method {
    int CLASS_ID = 85;

    /** Client: wants its publishes confirmed. */
    record Select(boolean isNoWait) implements ConfirmMethod {
        static final int ID = (CLASS_ID << 16) | 10;

        static Select read(MethodReader in) {
            int bits = in.octet();
            return new Select((bits & 1) != 0);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            Fields.writeBits(out, isNoWait);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onConfirmSelect(this);
        }
    }

    /** Server: they will be. */
    record SelectOk() implements ConfirmMethod {
        static final int ID = (CLASS_ID << 16) | 11;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}
    }
}
