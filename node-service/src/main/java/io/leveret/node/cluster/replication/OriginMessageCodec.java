package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.CodecException;

/**
 * The encoding of {@link OriginMessage}s inside a peer frame; all numbers are varints.
 *
 * <pre>
 * message   = type(1) node boot channel …
 * 1 open    = epoch session
 * 2 publish = epoch session number floor flags(1: 1 again, 2 persistent) exchange routingKey header body (each: length bytes)
 * 3 close   = epoch session number
 * 4 answer  = from to confirmed(1)
 * 5 refused = epoch session
 * </pre>
 */
public final class OriginMessageCodec {
    private static final int OPEN = 1;
    private static final int PUBLISH = 2;
    private static final int CLOSE = 3;
    private static final int ANSWERED = 4;
    private static final int NOT_LEADER = 5;

    private static final int IS_AGAIN = 1;
    private static final int IS_PERSISTENT = 2;

    private OriginMessageCodec() {}

    /** The whole message. */
    public static byte[] encode(OriginMessage message) {
        RecordWriter out = new RecordWriter(128);
        write(out, message);
        return out.toByteArray();
    }

    static void write(RecordWriter out, OriginMessage message) {
        if (message instanceof OriginMessage.Open open) {
            start(out, OPEN, open.channel());
            out.putVar(open.epoch());
            out.putVar(open.session());
        } else if (message instanceof OriginMessage.Publish publish) {
            start(out, PUBLISH, publish.channel());
            out.putVar(publish.epoch());
            out.putVar(publish.session());
            out.putVar(publish.number());
            out.putVar(publish.floor());
            Message body = publish.message();
            out.putByte((publish.isAgain() ? IS_AGAIN : 0) | (body.isPersistent() ? IS_PERSISTENT : 0));
            out.putText(body.exchange());
            out.putText(body.routingKey());
            out.putBytes(body.header());
            out.putBytes(body.body());
        } else if (message instanceof OriginMessage.Close close) {
            start(out, CLOSE, close.channel());
            out.putVar(close.epoch());
            out.putVar(close.session());
            out.putVar(close.number());
        } else if (message instanceof OriginMessage.Answered answered) {
            start(out, ANSWERED, answered.channel());
            out.putVar(answered.from());
            out.putVar(answered.to());
            out.putByte(answered.isConfirmed() ? 1 : 0);
        } else if (message instanceof OriginMessage.NotLeader refused) {
            start(out, NOT_LEADER, refused.channel());
            out.putVar(refused.epoch());
            out.putVar(refused.session());
        }
    }

    private static void start(RecordWriter out, int type, ChannelKey channel) {
        out.putByte(type);
        out.putVar(channel.node());
        out.putVar(channel.boot());
        out.putVar(channel.channel());
    }

    /** Reads one message. @throws CodecException when the bytes are not one */
    public static OriginMessage decode(byte[] bytes, int offset, int length) {
        RecordReader in = new RecordReader(bytes, offset, length);
        int type = in.getByte();
        ChannelKey channel = new ChannelKey(in.getInt(), in.getVar(), in.getVar());
        OriginMessage message = switch (type) {
            case OPEN -> new OriginMessage.Open(channel, in.getVar(), in.getVar());
            case PUBLISH -> readPublish(channel, in);
            case CLOSE -> new OriginMessage.Close(channel, in.getVar(), in.getVar(), in.getVar());
            case ANSWERED -> new OriginMessage.Answered(channel, in.getVar(), in.getVar(), in.getFlag());
            case NOT_LEADER -> new OriginMessage.NotLeader(channel, in.getVar(), in.getVar());
            default -> throw new CodecException("an origin message of type " + type);
        };
        in.expectEnd();
        return message;
    }

    private static OriginMessage.Publish readPublish(ChannelKey channel, RecordReader in) {
        long epoch = in.getVar();
        long session = in.getVar();
        long number = in.getVar();
        long floor = in.getVar();
        int flags = in.getByte();
        if ((flags & ~(IS_AGAIN | IS_PERSISTENT)) != 0) {
            throw new CodecException("unknown flags " + flags);
        }
        Message message =
                new Message(in.getText(), in.getText(), in.getBytes(), in.getBytes(), (flags & IS_PERSISTENT) != 0);
        return new OriginMessage.Publish(channel, epoch, session, number, floor, (flags & IS_AGAIN) != 0, message);
    }
}
