package io.leveret.node.amqp.wire;

import io.netty.buffer.ByteBuf;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Class basic: messages. */
public sealed interface BasicMethod extends Method {
    int CLASS_ID = 60;

    /** Client: how many unsettled deliveries it wants at a time. */
    record Qos(int prefetchSize, int prefetchCount, boolean isGlobal) implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 10;

        static Qos read(MethodReader in) {
            int prefetchSize = in.longInt();
            int prefetchCount = in.shortInt();
            int bits = in.octet();
            return new Qos(prefetchSize, prefetchCount, (bits & 1) != 0);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeInt(prefetchSize);
            out.writeShort(prefetchCount);
            Fields.writeBits(out, isGlobal);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onBasicQos(this);
        }
    }

    /** Server: so be it. */
    record QosOk() implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 11;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}
    }

    /** Client: wants the messages of a queue. */
    record Consume(
            String queue,
            String consumerTag,
            boolean isNoLocal,
            boolean isNoAck,
            boolean isExclusive,
            boolean isNoWait,
            Map<String, @Nullable Object> arguments)
            implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 20;

        static Consume read(MethodReader in) {
            in.shortInt();
            String queue = in.shortString();
            String consumerTag = in.shortString();
            int bits = in.octet();
            Map<String, @Nullable Object> arguments = in.table();
            return new Consume(
                    queue, consumerTag, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0, arguments);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeShort(0);
            Fields.writeShortString(out, queue);
            Fields.writeShortString(out, consumerTag);
            Fields.writeBits(out, isNoLocal, isNoAck, isExclusive, isNoWait);
            Fields.writeTable(out, arguments);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onBasicConsume(this);
        }
    }

    /** Server: they will come. */
    record ConsumeOk(String consumerTag) implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 21;

        static ConsumeOk read(MethodReader in) {
            String consumerTag = in.shortString();
            return new ConsumeOk(consumerTag);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            Fields.writeShortString(out, consumerTag);
        }
    }

    /** Either side ends a consumer. */
    record Cancel(String consumerTag, boolean isNoWait) implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 30;

        static Cancel read(MethodReader in) {
            String consumerTag = in.shortString();
            int bits = in.octet();
            return new Cancel(consumerTag, (bits & 1) != 0);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            Fields.writeShortString(out, consumerTag);
            Fields.writeBits(out, isNoWait);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onBasicCancel(this);
        }
    }

    /** The other side has seen it. */
    record CancelOk(String consumerTag) implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 31;

        static CancelOk read(MethodReader in) {
            String consumerTag = in.shortString();
            return new CancelOk(consumerTag);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            Fields.writeShortString(out, consumerTag);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onBasicCancelOk(this);
        }
    }

    /** Client: a message; its content follows. */
    record Publish(String exchange, String routingKey, boolean isMandatory, boolean isImmediate)
            implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 40;

        static Publish read(MethodReader in) {
            in.shortInt();
            String exchange = in.name();
            String routingKey = in.name();
            int bits = in.octet();
            return new Publish(exchange, routingKey, (bits & 1) != 0, (bits & 2) != 0);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeShort(0);
            Fields.writeShortString(out, exchange);
            Fields.writeShortString(out, routingKey);
            Fields.writeBits(out, isMandatory, isImmediate);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onBasicPublish(this);
        }
    }

    /** Server: a message that it could not route; its content follows. */
    record Return(int replyCode, String replyText, String exchange, String routingKey) implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 50;

        static Return read(MethodReader in) {
            int replyCode = in.shortInt();
            String replyText = in.shortString();
            String exchange = in.shortString();
            String routingKey = in.shortString();
            return new Return(replyCode, replyText, exchange, routingKey);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeShort(replyCode);
            Fields.writeShortString(out, replyText);
            Fields.writeShortString(out, exchange);
            Fields.writeShortString(out, routingKey);
        }
    }

    /** Server: a message for a consumer; its content follows. */
    record Deliver(String consumerTag, long deliveryTag, boolean isRedelivered, String exchange, String routingKey)
            implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 60;

        static Deliver read(MethodReader in) {
            String consumerTag = in.shortString();
            long deliveryTag = in.longLong();
            int bits = in.octet();
            String exchange = in.shortString();
            String routingKey = in.shortString();
            return new Deliver(consumerTag, deliveryTag, (bits & 1) != 0, exchange, routingKey);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            Fields.writeShortString(out, consumerTag);
            out.writeLong(deliveryTag);
            Fields.writeBits(out, isRedelivered);
            Fields.writeShortString(out, exchange);
            Fields.writeShortString(out, routingKey);
        }
    }

    /** Client: wants one message. */
    record Get(String queue, boolean isNoAck) implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 70;

        static Get read(MethodReader in) {
            in.shortInt();
            String queue = in.shortString();
            int bits = in.octet();
            return new Get(queue, (bits & 1) != 0);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeShort(0);
            Fields.writeShortString(out, queue);
            Fields.writeBits(out, isNoAck);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onBasicGet(this);
        }
    }

    /** Server: here it is; its content follows. */
    record GetOk(long deliveryTag, boolean isRedelivered, String exchange, String routingKey, int messageCount)
            implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 71;

        static GetOk read(MethodReader in) {
            long deliveryTag = in.longLong();
            int bits = in.octet();
            String exchange = in.shortString();
            String routingKey = in.shortString();
            int messageCount = in.longInt();
            return new GetOk(deliveryTag, (bits & 1) != 0, exchange, routingKey, messageCount);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeLong(deliveryTag);
            Fields.writeBits(out, isRedelivered);
            Fields.writeShortString(out, exchange);
            Fields.writeShortString(out, routingKey);
            out.writeInt(messageCount);
        }
    }

    /** Server: there is none. */
    record GetEmpty() implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 72;

        static GetEmpty read(MethodReader in) {
            in.shortString();
            return new GetEmpty();
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeByte(0);
        }
    }

    /** Client: settles deliveries. Server: confirms publishes. */
    record Ack(long deliveryTag, boolean isMultiple) implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 80;

        static Ack read(MethodReader in) {
            long deliveryTag = in.longLong();
            int bits = in.octet();
            return new Ack(deliveryTag, (bits & 1) != 0);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeLong(deliveryTag);
            Fields.writeBits(out, isMultiple);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onBasicAck(this);
        }
    }

    /** Client: does not want a delivery. */
    record Reject(long deliveryTag, boolean isRequeue) implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 90;

        static Reject read(MethodReader in) {
            long deliveryTag = in.longLong();
            int bits = in.octet();
            return new Reject(deliveryTag, (bits & 1) != 0);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeLong(deliveryTag);
            Fields.writeBits(out, isRequeue);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onBasicReject(this);
        }
    }

    /** Client: wants all that is unsettled again; no answer. */
    record RecoverAsync(boolean isRequeue) implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 100;

        static RecoverAsync read(MethodReader in) {
            int bits = in.octet();
            return new RecoverAsync((bits & 1) != 0);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            Fields.writeBits(out, isRequeue);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onBasicRecoverAsync(this);
        }
    }

    /** Client: wants all that is unsettled again. */
    record Recover(boolean isRequeue) implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 110;

        static Recover read(MethodReader in) {
            int bits = in.octet();
            return new Recover((bits & 1) != 0);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            Fields.writeBits(out, isRequeue);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onBasicRecover(this);
        }
    }

    /** Server: it will come. */
    record RecoverOk() implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 111;

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {}
    }

    /** Client: does not want deliveries. Server: cannot promise publishes. */
    record Nack(long deliveryTag, boolean isMultiple, boolean isRequeue) implements BasicMethod {
        static final int ID = (CLASS_ID << 16) | 120;

        static Nack read(MethodReader in) {
            long deliveryTag = in.longLong();
            int bits = in.octet();
            return new Nack(deliveryTag, (bits & 1) != 0, (bits & 2) != 0);
        }

        @Override
        public int id() {
            return ID;
        }

        @Override
        public void write(ByteBuf out) {
            out.writeLong(deliveryTag);
            Fields.writeBits(out, isMultiple, isRequeue);
        }

        @Override
        public void accept(MethodVisitor visitor) {
            visitor.onBasicNack(this);
        }
    }
}
