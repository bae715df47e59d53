package io.leveret.node.amqp.wire;

import io.netty.buffer.ByteBuf;

/** Class tx. */
public sealed interface TxMethod extends Method {
    int CLASS_ID = 90;

    /** Client: wants transactions. */
    record Select() implements TxMethod {
        static final int ID = (CLASS_ID << 16) | 10;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onTxSelect(this);
        }
    }

    /** Server: so be it. */
    record SelectOk() implements TxMethod {
        static final int ID = (CLASS_ID << 16) | 11;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}
    }

    /** Client: make it so. */
    record Commit() implements TxMethod {
        static final int ID = (CLASS_ID << 16) | 20;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onTxCommit(this);
        }
    }

    /** Server: it is done. */
    record CommitOk() implements TxMethod {
        static final int ID = (CLASS_ID << 16) | 21;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}
    }

    /** Client: forget it. */
    record Rollback() implements TxMethod {
        static final int ID = (CLASS_ID << 16) | 30;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onTxRollback(this);
        }
    }

    /** Server: it is forgotten. */
    record RollbackOk() implements TxMethod {
        static final int ID = (CLASS_ID << 16) | 31;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}
    }
}
