package io.leveret.node.amqp.wire;

import io.leveret.node.broker.message.Message;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Writes the basic.deliver frames of one consumer. Tag, exchange and routing key are encoded once for as long as messages
 * come with the same names; only the delivery tag and the redelivered bit change.
 */
public final class DeliverTemplate {
    private final int channel;
    private final byte[] consumerTag;
    private String exchange = "";
    private String routingKey = "";
    private byte[] before;
    private byte[] after;

    public DeliverTemplate(int channel, String consumerTag) {
        this.channel = channel;
        this.consumerTag = consumerTag.getBytes(StandardCharsets.UTF_8);
        after = encodeNames();
        before = encodeHead();
    }

    public void write(ByteBuf out, long deliveryTag, boolean isRedelivered, Message message) {
        if (!exchange.equals(message.exchange()) || !routingKey.equals(message.routingKey())) {
            exchange = message.exchange();
            routingKey = message.routingKey();
            after = encodeNames();
            before = encodeHead();
        }
        out.writeBytes(before);
        out.writeLong(deliveryTag);
        out.writeBoolean(isRedelivered);
        out.writeBytes(after);
    }

    private byte[] encodeHead() {
        int payload = 4 + 1 + consumerTag.length + 8 + 1 + after.length - 1;
        byte[] head = new byte[FrameType.HEAD_BYTES + 5 + consumerTag.length];
        head[0] = FrameType.METHOD;
        head[1] = (byte) (channel >> 8);
        head[2] = (byte) channel;
        head[3] = (byte) (payload >> 24);
        head[4] = (byte) (payload >> 16);
        head[5] = (byte) (payload >> 8);
        head[6] = (byte) payload;
        head[8] = BasicMethod.CLASS_ID;
        head[10] = BasicMethod.Deliver.ID & 0xff;
        head[11] = (byte) consumerTag.length;
        System.arraycopy(consumerTag, 0, head, 12, consumerTag.length);
        return head;
    }

    /** Exchange, routing key and the frame's end. */
    private byte[] encodeNames() {
        byte[] first = exchange.getBytes(StandardCharsets.UTF_8);
        byte[] second = routingKey.getBytes(StandardCharsets.UTF_8);
        byte[] names = new byte[first.length + second.length + 3];
        names[0] = (byte) first.length;
        System.arraycopy(first, 0, names, 1, first.length);
        names[1 + first.length] = (byte) second.length;
        System.arraycopy(second, 0, names, 2 + first.length, second.length);
        names[names.length - 1] = (byte) FrameType.END;
        return names;
    }
}
