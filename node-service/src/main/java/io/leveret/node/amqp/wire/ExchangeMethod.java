package io.leveret.node.amqp.wire;

import io.netty.buffer.ByteBuf;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Class exchange. */
public sealed interface ExchangeMethod extends Method {
    int CLASS_ID = 40;

    /** Client: declares an exchange. */
    record Declare(
            String exchange,
            String type,
            boolean isPassive,
            boolean isDurable,
            boolean isAutoDelete,
            boolean isInternal,
            boolean isNoWait,
            Map<String, @Nullable Object> arguments)
            implements ExchangeMethod {
        static final int ID = (CLASS_ID << 16) | 10;

        static Declare read(MethodReader in) {
            in.shortInt();
            String exchange = in.shortString();
            String type = in.shortString();
            int bits = in.octet();
            Map<String, @Nullable Object> arguments = in.table();
            return new Declare(
                    exchange,
                    type,
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
            Fields.writeShortString(out, exchange);
            Fields.writeShortString(out, type);
            Fields.writeBits(out, isPassive, isDurable, isAutoDelete, isInternal, isNoWait);
            Fields.writeTable(out, arguments);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onExchangeDeclare(this);
        }
    }

    /** Server: it is there. */
    record DeclareOk() implements ExchangeMethod {
        static final int ID = (CLASS_ID << 16) | 11;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}
    }

    /** Client: deletes an exchange. */
    record Delete(String exchange, boolean isIfUnused, boolean isNoWait) implements ExchangeMethod {
        static final int ID = (CLASS_ID << 16) | 20;

        static Delete read(MethodReader in) {
            in.shortInt();
            String exchange = in.shortString();
            int bits = in.octet();
            return new Delete(exchange, (bits & 1) != 0, (bits & 2) != 0);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeShort(0);
            Fields.writeShortString(out, exchange);
            Fields.writeBits(out, isIfUnused, isNoWait);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onExchangeDelete(this);
        }
    }

    /** Server: it is gone. */
    record DeleteOk() implements ExchangeMethod {
        static final int ID = (CLASS_ID << 16) | 21;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}
    }

    /** Client: binds an exchange to another. */
    record Bind(
            String destination,
            String source,
            String routingKey,
            boolean isNoWait,
            Map<String, @Nullable Object> arguments)
            implements ExchangeMethod {
        static final int ID = (CLASS_ID << 16) | 30;

        static Bind read(MethodReader in) {
            in.shortInt();
            String destination = in.shortString();
            String source = in.shortString();
            String routingKey = in.shortString();
            int bits = in.octet();
            Map<String, @Nullable Object> arguments = in.table();
            return new Bind(destination, source, routingKey, (bits & 1) != 0, arguments);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeShort(0);
            Fields.writeShortString(out, destination);
            Fields.writeShortString(out, source);
            Fields.writeShortString(out, routingKey);
            Fields.writeBits(out, isNoWait);
            Fields.writeTable(out, arguments);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onExchangeBind(this);
        }
    }

    /** Server: it is bound. */
    record BindOk() implements ExchangeMethod {
        static final int ID = (CLASS_ID << 16) | 31;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}
    }

    /** Client: takes such a binding away. */
    record Unbind(
            String destination,
            String source,
            String routingKey,
            boolean isNoWait,
            Map<String, @Nullable Object> arguments)
            implements ExchangeMethod {
        static final int ID = (CLASS_ID << 16) | 40;

        static Unbind read(MethodReader in) {
            in.shortInt();
            String destination = in.shortString();
            String source = in.shortString();
            String routingKey = in.shortString();
            int bits = in.octet();
            Map<String, @Nullable Object> arguments = in.table();
            return new Unbind(destination, source, routingKey, (bits & 1) != 0, arguments);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeShort(0);
            Fields.writeShortString(out, destination);
            Fields.writeShortString(out, source);
            Fields.writeShortString(out, routingKey);
            Fields.writeBits(out, isNoWait);
            Fields.writeTable(out, arguments);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onExchangeUnbind(this);
        }
    }

    /** Server: it is gone. */
    record UnbindOk() implements ExchangeMethod {
        static final int ID = (CLASS_ID << 16) | 51;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}
    }
}
