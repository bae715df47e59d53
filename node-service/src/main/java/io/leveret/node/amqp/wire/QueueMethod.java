package io.leveret.node.amqp.wire;

import io.netty.buffer.ByteBuf;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Class queue. */
public sealed interface QueueMethod extends Method {
    int CLASS_ID = 50;

    /** Client: declares a queue. */
    record Declare(
            String queue,
            boolean isPassive,
            boolean isDurable,
            boolean isExclusive,
            boolean isAutoDelete,
            boolean isNoWait,
            Map<String, @Nullable Object> arguments)
            implements QueueMethod {
        static final int ID = (CLASS_ID << 16) | 10;

        static Declare read(MethodReader in) {
            in.shortInt();
            String queue = in.shortString();
            int bits = in.octet();
            Map<String, @Nullable Object> arguments = in.table();
            return new Declare(
                    queue,
                    (bits & 1) != 0,
                    (bits & 2) != 0,
                    (bits & 4) != 0,
                    (bits & 8) != 0,
                    (bits & 16) != 0,
                    arguments);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeShort(0);
            Fields.writeShortString(out, queue);
            Fields.writeBits(out, isPassive, isDurable, isExclusive, isAutoDelete, isNoWait);
            Fields.writeTable(out, arguments);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onQueueDeclare(this);
        }
    }

    /** Server: it is there. */
    record DeclareOk(String queue, int messageCount, int consumerCount) implements QueueMethod {
        static final int ID = (CLASS_ID << 16) | 11;

        static DeclareOk read(MethodReader in) {
            String queue = in.shortString();
            int messageCount = in.longInt();
            int consumerCount = in.longInt();
            return new DeclareOk(queue, messageCount, consumerCount);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            Fields.writeShortString(out, queue);
            out.writeInt(messageCount);
            out.writeInt(consumerCount);
        }
    }

    /** Client: binds a queue to an exchange. */
    record Bind(
            String queue, String exchange, String routingKey, boolean isNoWait, Map<String, @Nullable Object> arguments)
            implements QueueMethod {
        static final int ID = (CLASS_ID << 16) | 20;

        static Bind read(MethodReader in) {
            in.shortInt();
            String queue = in.shortString();
            String exchange = in.shortString();
            String routingKey = in.shortString();
            int bits = in.octet();
            Map<String, @Nullable Object> arguments = in.table();
            return new Bind(queue, exchange, routingKey, (bits & 1) != 0, arguments);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeShort(0);
            Fields.writeShortString(out, queue);
            Fields.writeShortString(out, exchange);
            Fields.writeShortString(out, routingKey);
            Fields.writeBits(out, isNoWait);
            Fields.writeTable(out, arguments);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onQueueBind(this);
        }
    }

    /** Server: it is bound. */
    record BindOk() implements QueueMethod {
        static final int ID = (CLASS_ID << 16) | 21;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}
    }

    /** Client: empties a queue. */
    record Purge(String queue, boolean isNoWait) implements QueueMethod {
        static final int ID = (CLASS_ID << 16) | 30;

        static Purge read(MethodReader in) {
            in.shortInt();
            String queue = in.shortString();
            int bits = in.octet();
            return new Purge(queue, (bits & 1) != 0);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeShort(0);
            Fields.writeShortString(out, queue);
            Fields.writeBits(out, isNoWait);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onQueuePurge(this);
        }
    }

    /** Server: how many messages went. */
    record PurgeOk(int messageCount) implements QueueMethod {
        static final int ID = (CLASS_ID << 16) | 31;

        static PurgeOk read(MethodReader in) {
            int messageCount = in.longInt();
            return new PurgeOk(messageCount);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeInt(messageCount);
        }
    }

    /** Client: deletes a queue. */
    record Delete(String queue, boolean isIfUnused, boolean isIfEmpty, boolean isNoWait) implements QueueMethod {
        static final int ID = (CLASS_ID << 16) | 40;

        static Delete read(MethodReader in) {
            in.shortInt();
            String queue = in.shortString();
            int bits = in.octet();
            return new Delete(queue, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeShort(0);
            Fields.writeShortString(out, queue);
            Fields.writeBits(out, isIfUnused, isIfEmpty, isNoWait);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onQueueDelete(this);
        }
    }

    /** Server: how many messages went with it. */
    record DeleteOk(int messageCount) implements QueueMethod {
        static final int ID = (CLASS_ID << 16) | 41;

        static DeleteOk read(MethodReader in) {
            int messageCount = in.longInt();
            return new DeleteOk(messageCount);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeInt(messageCount);
        }
    }

    /** Client: takes a binding away. */
    record Unbind(String queue, String exchange, String routingKey, Map<String, @Nullable Object> arguments)
            implements QueueMethod {
        static final int ID = (CLASS_ID << 16) | 50;

        static Unbind read(MethodReader in) {
            in.shortInt();
            String queue = in.shortString();
            String exchange = in.shortString();
            String routingKey = in.shortString();
            Map<String, @Nullable Object> arguments = in.table();
            return new Unbind(queue, exchange, routingKey, arguments);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeShort(0);
            Fields.writeShortString(out, queue);
            Fields.writeShortString(out, exchange);
            Fields.writeShortString(out, routingKey);
            Fields.writeTable(out, arguments);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onQueueUnbind(this);
        }
    }

    /** Server: it is gone. */
    record UnbindOk() implements QueueMethod {
        static final int ID = (CLASS_ID << 16) | 51;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}
    }
}
