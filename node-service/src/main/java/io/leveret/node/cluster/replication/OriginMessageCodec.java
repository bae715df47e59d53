package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.CodecException;
import java.nio.ByteBuffer;

/**
 * The encoding of {@link OriginMessage}s inside a peer frame; all numbers are varints.
 *
 * <pre>
 * message   = type(1) node boot channel …
 * 1 open    = epoch session source sourceEpoch
 * 2 publish = epoch session number floor firstEpoch flags(1: 2 persistent, 4 named) [origin] exchange routingKey (each:
 *             length bytes) headerLength bodyLength header body
 * 3 close   = epoch session number
 * 4 answer  = from to confirmed(1)
 * 5 refused = epoch session
 * 6 settle  = epoch session number runs
 * 7 settled = epoch session source floor letters
 * </pre>
 */
public final class OriginMessageCodec {
    private static final int OPEN = 1;
    private static final int PUBLISH = 2;
    private static final int CLOSE = 3;
    private static final int ANSWERED = 4;
    private static final int NOT_LEADER = 5;
    private static final int SETTLE = 6;
    private static final int LETTERS_SETTLED = 7;

    private static final int IS_PERSISTENT = 2;
    private static final int IS_NAMED = 4;

    private OriginMessageCodec() {}

    /** The message but for header and body of a publish, which follow it in this order. */
    public static ByteBuffer encodeHead(OriginMessage message) {
        RecordWriter out = new RecordWriter(128);
        writeHead(out, message);
        return out.view();
    }

    private static void writeHead(RecordWriter out, OriginMessage message) {
        if (message instanceof OriginMessage.Open open) {
            start(out, OPEN, open.channel());
            out.putVar(open.epoch());
            out.putVar(open.session());
            out.putVar(open.source());
            out.putVar(open.sourceEpoch());
        } else if (message instanceof OriginMessage.Publish publish) {
            writePublish(out, publish);
        } else if (message instanceof OriginMessage.Settle settle) {
            start(out, SETTLE, settle.channel());
            out.putVar(settle.epoch());
            out.putVar(settle.session());
            out.putVar(settle.number());
            RunSet.of(settle.ids()).write(out);
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
        } else if (message instanceof OriginMessage.LettersSettled settled) {
            start(out, LETTERS_SETTLED, settled.channel());
            out.putVar(settled.epoch());
            out.putVar(settled.session());
            out.putVar(settled.source());
            out.putId(settled.floor());
            settled.letters().write(out);
        }
    }

    private static void writePublish(RecordWriter out, OriginMessage.Publish publish) {
        start(out, PUBLISH, publish.channel());
        out.putVar(publish.epoch());
        out.putVar(publish.session());
        out.putVar(publish.number());
        out.putVar(publish.floor());
        Message body = publish.message();
        Origin name = body.origin();
        out.putVar(publish.firstEpoch());
        out.putByte((body.isPersistent() ? IS_PERSISTENT : 0) | (name != null ? IS_NAMED : 0));
        if (name != null) {
            Dedupe.writeOrigin(out, name);
        }
        out.putText(body.exchange());
        out.putText(body.routingKey());
        out.putVar(body.header().length);
        out.putVar(body.body().length);
    }

    private static void start(RecordWriter out, int type, ChannelKey channel) {
        out.putByte(type);
        out.putVar(channel.node());
        out.putVar(channel.boot());
        out.putVar(channel.channel());
    }

    /** Reads one message from a heap buffer, to its end. @throws CodecException when the bytes are not one */
    public static OriginMessage decode(ByteBuffer source) {
        RecordReader in =
                new RecordReader(source.array(), source.arrayOffset() + source.position(), source.remaining());
        int type = in.getByte();
        ChannelKey channel = new ChannelKey(in.getInt(), in.getVar(), in.getVar());
        OriginMessage message = switch (type) {
            case OPEN -> new OriginMessage.Open(channel, in.getVar(), in.getVar(), in.getVar(), in.getVar());
            case PUBLISH -> readPublish(channel, in);
            case SETTLE ->
                new OriginMessage.Settle(
                        channel,
                        in.getVar(),
                        in.getVar(),
                        in.getVar(),
                        RunSet.read(in).toIdRuns());
            case CLOSE -> new OriginMessage.Close(channel, in.getVar(), in.getVar(), in.getVar());
            case ANSWERED -> new OriginMessage.Answered(channel, in.getVar(), in.getVar(), in.getFlag());
            case NOT_LEADER -> new OriginMessage.NotLeader(channel, in.getVar(), in.getVar());
            case LETTERS_SETTLED ->
                new OriginMessage.LettersSettled(
                        channel, in.getVar(), in.getVar(), in.getVar(), in.getId(), RunSet.read(in));
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
        long firstEpoch = in.getVar();
        int flags = in.getByte();
        if ((flags & ~(IS_PERSISTENT | IS_NAMED)) != 0) {
            throw new CodecException("unknown flags " + flags);
        }
        Origin name = (flags & IS_NAMED) != 0 ? Dedupe.readOrigin(in) : null;
        String exchange = in.getText();
        String routingKey = in.getText();
        int headerLength = in.getInt();
        int bodyLength = in.getInt();
        Message message = new Message(
                exchange, routingKey, in.getRaw(headerLength), in.getRaw(bodyLength), (flags & IS_PERSISTENT) != 0);
        Message named = name == null ? message : message.withOrigin(name);
        return new OriginMessage.Publish(channel, epoch, session, number, floor, firstEpoch, named);
    }
}
