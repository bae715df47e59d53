package io.leveret.node.cluster.remote;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.Subscriber.CancelReason;
import io.leveret.node.broker.queue.Subscription.Settlement;
import io.leveret.node.broker.queue.SubscriptionOptions;
import io.leveret.node.broker.vhost.ReplyAddress;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The layout of what origins and leaders on different nodes say to each other: {@code type u8, session i64, rest}. A session
 * is a number of the origin's node that names a consumer's line; for publishes and their answers it is the incarnation of the
 * queue.
 */
final class RemoteFrame {
    static final byte SUBSCRIBE = 1;
    static final byte SETTLE = 2;
    static final byte GIVE_BACK = 3;
    static final byte PAUSE = 4;
    static final byte RESUME = 5;
    static final byte GET = 6;
    static final byte CANCEL = 7;
    static final byte CLOSE = 8;
    /** An {@link io.leveret.node.cluster.replication.OriginMessage} to a leader. */
    static final byte TO_LEADER = 9;
    /** Tell which messages the deliveries are. */
    static final byte IDENTIFY = 10;

    static final byte SUBSCRIBED = 33;
    static final byte REFUSED = 34;
    static final byte NOT_LEADER = 35;
    static final byte DELIVER = 36;
    static final byte CANCELLED = 37;
    static final byte GOT = 38;
    /** An {@link io.leveret.node.cluster.replication.OriginMessage} to an origin. */
    static final byte TO_ORIGIN = 39;
    /** Which message a delivery is; number 0: all up to here were told. */
    static final byte IDENTIFIED = 40;

    static final int HEAD_BYTES = 9;
    private static final int WANTS_IDS = 8;
    private static final int IS_PERSISTENT = 1;
    private static final int IS_FLAGGED = 2;
    private static final Settlement[] SETTLEMENTS = Settlement.values();
    private static final CancelReason[] REASONS = CancelReason.values();

    private RemoteFrame() {}

    static ByteBuffer plain(byte type, long session) {
        return start(type, session, 0).flip();
    }

    static ByteBuffer withNumber(byte type, long session, long number) {
        return start(type, session, 8).putLong(number).flip();
    }

    static ByteBuffer settle(long session, long from, long to, Settlement settlement) {
        return start(SETTLE, session, 17)
                .putLong(from)
                .putLong(to)
                .put((byte) settlement.ordinal())
                .flip();
    }

    static Settlement settlement(ByteBuffer in) {
        return one(SETTLEMENTS, in.get());
    }

    static ByteBuffer cancelled(long session, CancelReason reason) {
        return start(CANCELLED, session, 1).put((byte) reason.ordinal()).flip();
    }

    static CancelReason reason(ByteBuffer in) {
        return one(REASONS, in.get());
    }

    private static <T> T one(T[] values, int ordinal) {
        if (ordinal < 0 || ordinal >= values.length) {
            throw new IllegalArgumentException("no value has the number " + ordinal);
        }
        return values[ordinal];
    }

    static ByteBuffer refused(long session, String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        return text(start(REFUSED, session, 4 + text.length), text).flip();
    }

    static ByteBuffer got(long session, long request, long remaining) {
        return start(GOT, session, 16).putLong(request).putLong(remaining).flip();
    }

    /**
     * What the leader needs to know of the options: x-priority is the only argument that it looks at, and a leader change is
     * the origin's affair.
     */
    static ByteBuffer subscribe(
            long session, long incarnation, long epoch, SubscriptionOptions options, boolean wantsIds) {
        byte[] id = options.consumerId().getBytes(StandardCharsets.UTF_8);
        byte[] tag = options.consumerTag().getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = start(SUBSCRIBE, session, 16 + 1 + 4 + 4 + 8 + id.length + tag.length);
        out.putLong(incarnation).putLong(epoch);
        out.put((byte) ((options.isNoAck() ? 1 : 0)
                | (options.isExclusive() ? 2 : 0)
                | (options.isPassive() ? 4 : 0)
                | (wantsIds ? WANTS_IDS : 0)));
        out.putInt(options.prefetch()).putInt(priority(options.arguments()));
        return text(text(out, id), tag).flip();
    }

    private static int priority(Map<String, Object> arguments) {
        Object priority = arguments.get("x-priority");
        return priority instanceof Number number ? number.intValue() : 0;
    }

    /** What a subscriber asked for; the flag tells whether it wants to know the ids. */
    record Asked(SubscriptionOptions options, boolean wantsIds) {}

    static Asked asked(ByteBuffer in) {
        int flags = in.get();
        int prefetch = in.getInt();
        int priority = in.getInt();
        String id = text(in);
        String tag = text(in);
        Map<String, Object> arguments = priority == 0 ? Map.of() : Map.of("x-priority", priority);
        SubscriptionOptions options = new SubscriptionOptions(
                id, tag, (flags & 1) != 0, (flags & 2) != 0, prefetch, (flags & 4) != 0, arguments);
        return new Asked(options, (flags & WANTS_IDS) != 0);
    }

    static ByteBuffer identified(long session, long number, long epoch, long index) {
        return start(IDENTIFIED, session, 24)
                .putLong(number)
                .putLong(epoch)
                .putLong(index)
                .flip();
    }

    /** The head of a frame whose message follows as two more parts: its properties, then its body. */
    static ByteBuffer deliverHead(long session, long number, Message message, boolean isRedelivered) {
        ByteBuffer out = start(DELIVER, session, 8 + messageHeadBytesMax(message));
        return messageHead(out.putLong(number), message, isRedelivered).flip();
    }

    /** {@code number i64, key: text}, then a message: its head here, its properties and its body as two more parts. */
    static ByteBuffer replyHead(ReplyAddress to, Message message) {
        byte[] key = to.key().getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(8 + 2 + key.length + messageHeadBytesMax(message));
        return messageHead(text(out.putLong(to.number()), key), message, false).flip();
    }

    /** {@code number i64, key: text}: whether a channel awaits answers. */
    static ByteBuffer replyQuestion(ReplyAddress to) {
        byte[] key = to.key().getBytes(StandardCharsets.UTF_8);
        return text(ByteBuffer.allocate(8 + 2 + key.length).putLong(to.number()), key)
                .flip();
    }

    /** What both begin with. */
    static ReplyAddress replyAddress(int node, ByteBuffer in) {
        long number = in.getLong();
        return new ReplyAddress(node, number, text(in));
    }

    private static int messageHeadBytesMax(Message message) {
        return 1 + 8 + 3 * (message.exchange().length() + message.routingKey().length());
    }

    private static ByteBuffer messageHead(ByteBuffer out, Message message, boolean isFlagged) {
        out.put((byte) ((message.isPersistent() ? IS_PERSISTENT : 0) | (isFlagged ? IS_FLAGGED : 0)));
        text(out, message.exchange().getBytes(StandardCharsets.UTF_8));
        text(out, message.routingKey().getBytes(StandardCharsets.UTF_8));
        return out.putInt(message.header().length);
    }

    /** A message and the flag that came with it: redelivered, or sent again. */
    record Carried(Message message, boolean isFlagged) {}

    /** Reads the message that makes up the rest of a frame. */
    static Carried message(ByteBuffer in) {
        int flags = in.get();
        String exchange = text(in);
        String routingKey = text(in);
        byte[] header = bytes(in, in.getInt());
        byte[] body = bytes(in, in.remaining());
        Message message = new Message(exchange, routingKey, header, body, (flags & IS_PERSISTENT) != 0);
        return new Carried(message, (flags & IS_FLAGGED) != 0);
    }

    static ByteBuffer start(byte type, long session, int restBytes) {
        return ByteBuffer.allocate(HEAD_BYTES + restBytes).put(type).putLong(session);
    }

    private static ByteBuffer text(ByteBuffer out, byte[] text) {
        return out.putShort((short) text.length).put(text);
    }

    static String text(ByteBuffer in) {
        return new String(bytes(in, in.getShort() & 0xffff), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(ByteBuffer in, int length) {
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }
}
