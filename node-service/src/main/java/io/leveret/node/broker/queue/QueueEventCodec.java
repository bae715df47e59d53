package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.QueueEvent.Published;
import io.leveret.node.broker.queue.QueueEvent.Purged;
import io.leveret.node.broker.queue.QueueEvent.Reason;
import io.leveret.node.broker.queue.QueueEvent.Settled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The one encoding of events. An event is a small head followed, for Published, by the message's own header and body arrays,
 * so that journal and link can gather them without a copy. The length of the whole is kept by whoever frames it.
 *
 * <pre>
 * event     = version·type (1 byte: version in the high half, now 1) rest
 * type 1    = Published: flags(1) [priority(1)] [expiresAtMillis(8)] [origin] exchange routingKey
 *             headerLength(varint) bodyLength(varint) header body
 * flags     = 1 persistent, 2 again, 4 has origin, 8 has priority, 16 has deadline
 * origin    = node boot channel number floor (varints)
 * exchange, routingKey = length(1) UTF-8
 * type 2    = Settled: reason(1) runs
 * type 3    = Purged: runs
 * runs      = count(varint), then per run: epoch (zigzag varint, difference to the run before) first (varint) length − 1 (varint)
 * </pre>
 */
public final class QueueEventCodec {
    private static final int VERSION = 1;
    private static final int PUBLISHED = 1;
    private static final int SETTLED = 2;
    private static final int PURGED = 3;

    private static final int IS_PERSISTENT = 1;
    private static final int IS_AGAIN = 2;
    private static final int HAS_ORIGIN = 4;
    private static final int HAS_PRIORITY = 8;
    private static final int HAS_DEADLINE = 16;
    private static final int FLAGS_KNOWN = 31;

    private static final int VARINT_BYTES_MAX = 10;
    private static final int RUN_BYTES_MAX = 3 * VARINT_BYTES_MAX;
    private static final int ORIGIN_BYTES_MAX = 5 * VARINT_BYTES_MAX;
    private static final Reason[] REASONS = Reason.values();

    private QueueEventCodec() {}

    /** The event but for header and body of its message, ready to be read from. */
    public static ByteBuffer encodeHead(QueueEvent event) {
        ByteBuffer head;
        if (event instanceof Published) {
            head = published((Published) event);
        } else if (event instanceof Settled) {
            Settled settled = (Settled) event;
            head = start(SETTLED, 1 + runsBytesMax(settled.ids()));
            head.put((byte) settled.why().ordinal());
            putRuns(head, settled.ids());
        } else {
            Purged purged = (Purged) event;
            head = start(PURGED, runsBytesMax(purged.ids()));
            putRuns(head, purged.ids());
        }
        return head.flip();
    }

    /** The message whose header and body, in this order, follow the head; null when nothing does. */
    public static @Nullable Message tail(QueueEvent event) {
        return event instanceof Published ? ((Published) event).message() : null;
    }

    /** Head and tail in one buffer. */
    public static ByteBuffer encode(QueueEvent event) {
        ByteBuffer head = encodeHead(event);
        Message message = tail(event);
        if (message == null) {
            return head;
        }
        ByteBuffer whole = ByteBuffer.allocate(head.remaining() + message.header().length + message.body().length);
        return whole.put(head).put(message.header()).put(message.body()).flip();
    }

    private static ByteBuffer start(int type, int bytesMax) {
        return ByteBuffer.allocate(1 + bytesMax).put((byte) (VERSION << 4 | type));
    }

    private static ByteBuffer published(Published event) {
        Message message = event.message();
        byte[] exchange = message.exchange().getBytes(StandardCharsets.UTF_8);
        byte[] routingKey = message.routingKey().getBytes(StandardCharsets.UTF_8);
        Origin origin = event.origin();
        int flags = (message.isPersistent() ? IS_PERSISTENT : 0)
                | (event.isAgain() ? IS_AGAIN : 0)
                | (origin != null ? HAS_ORIGIN : 0)
                | (event.priority() != 0 ? HAS_PRIORITY : 0)
                | (event.expiresAtMillis() != LiveMessage.NEVER ? HAS_DEADLINE : 0);
        ByteBuffer head = start(
                PUBLISHED, 10 + ORIGIN_BYTES_MAX + 2 + exchange.length + routingKey.length + 2 * VARINT_BYTES_MAX);
        head.put((byte) flags);
        if (event.priority() != 0) {
            head.put((byte) event.priority());
        }
        if (event.expiresAtMillis() != LiveMessage.NEVER) {
            head.putLong(event.expiresAtMillis());
        }
        if (origin != null) {
            putVarint(head, origin.node());
            putVarint(head, origin.boot());
            putVarint(head, origin.channel());
            putVarint(head, origin.number());
            putVarint(head, event.floor());
        }
        head.put((byte) exchange.length).put(exchange);
        head.put((byte) routingKey.length).put(routingKey);
        putVarint(head, message.header().length);
        putVarint(head, message.body().length);
        return head;
    }

    /**
     * Reads one event, which the buffer holds from its position to its limit; both are left at the end.
     *
     * @throws CodecException when it does not
     */
    public static QueueEvent decode(ByteBuffer source) {
        int first = getByte(source);
        if (first >>> 4 != VERSION) {
            throw new CodecException("event of version " + (first >>> 4));
        }
        QueueEvent event;
        switch (first & 15) {
            case PUBLISHED:
                event = getPublished(source);
                break;
            case SETTLED:
                int reason = getByte(source);
                if (reason >= REASONS.length) {
                    throw new CodecException("unknown reason " + reason);
                }
                event = new Settled(getRuns(source), REASONS[reason]);
                break;
            case PURGED:
                event = new Purged(getRuns(source));
                break;
            default:
                throw new CodecException("event of type " + (first & 15));
        }
        if (source.hasRemaining()) {
            throw new CodecException("bytes after the end of an event");
        }
        return event;
    }

    private static Published getPublished(ByteBuffer source) {
        int flags = getByte(source);
        if ((flags & ~FLAGS_KNOWN) != 0) {
            throw new CodecException("unknown flags " + flags);
        }
        int priority = (flags & HAS_PRIORITY) != 0 ? getByte(source) : 0;
        long deadline = LiveMessage.NEVER;
        if ((flags & HAS_DEADLINE) != 0) {
            need(source, Long.BYTES);
            deadline = source.getLong();
        }
        Origin origin = null;
        long floor = 0;
        if ((flags & HAS_ORIGIN) != 0) {
            origin = new Origin(getInt(source), getVarint(source), getVarint(source), getVarint(source));
            floor = getVarint(source);
        }
        String exchange = getString(source);
        String routingKey = getString(source);
        int headerLength = getInt(source);
        int bodyLength = getInt(source);
        byte[] header = getBytes(source, headerLength);
        byte[] body = getBytes(source, bodyLength);
        Message message = new Message(exchange, routingKey, header, body, (flags & IS_PERSISTENT) != 0);
        return new Published(message, origin, floor, (flags & IS_AGAIN) != 0, priority, deadline);
    }

    /** Upper bound of the bytes that {@link #putRuns} takes. */
    public static int runsBytesMax(IdRuns ids) {
        return VARINT_BYTES_MAX + RUN_BYTES_MAX * ids.count();
    }

    /** Writes runs as events hold them. */
    public static void putRuns(ByteBuffer target, IdRuns ids) {
        putVarint(target, ids.count());
        long epoch = 0;
        for (int run = 0; run < ids.count(); run++) {
            long difference = ids.epoch(run) - epoch;
            putVarint(target, difference << 1 ^ difference >> 63);
            putVarint(target, ids.first(run));
            putVarint(target, ids.last(run) - ids.first(run));
            epoch = ids.epoch(run);
        }
    }

    /** Reads what {@link #putRuns} wrote. @throws CodecException when that is not what is there */
    public static IdRuns getRuns(ByteBuffer source) {
        int count = getInt(source);
        if (count > source.remaining()) {
            throw new CodecException("more runs than bytes");
        }
        IdRuns.Builder runs = new IdRuns.Builder();
        long epoch = 0;
        for (int run = 0; run < count; run++) {
            long zigzag = getVarint(source);
            epoch += zigzag >>> 1 ^ -(zigzag & 1);
            long first = getVarint(source);
            long more = getVarint(source);
            if (first < 0 || more < 0 || first + more < first) {
                throw new CodecException("a run that ends before it starts");
            }
            runs.add(epoch, first, first + more);
        }
        return runs.build();
    }

    /** Writes a number, seven bits a byte, the lowest first; negative ones take ten bytes. */
    public static void putVarint(ByteBuffer target, long value) {
        long left = value;
        while ((left & ~0x7fL) != 0) {
            target.put((byte) ((left & 0x7f) | 0x80));
            left >>>= 7;
        }
        target.put((byte) left);
    }

    /** Reads what {@link #putVarint} wrote. @throws CodecException when that is not what is there */
    public static long getVarint(ByteBuffer source) {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = getByte(source);
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new CodecException("a number of more than 64 bits");
    }

    private static int getInt(ByteBuffer source) {
        long value = getVarint(source);
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new CodecException("a length out of range");
        }
        return (int) value;
    }

    private static int getByte(ByteBuffer source) {
        need(source, 1);
        return source.get() & 0xff;
    }

    private static String getString(ByteBuffer source) {
        return new String(getBytes(source, getByte(source)), StandardCharsets.UTF_8);
    }

    private static byte[] getBytes(ByteBuffer source, int length) {
        need(source, length);
        byte[] bytes = new byte[length];
        source.get(bytes);
        return bytes;
    }

    private static void need(ByteBuffer source, int bytes) {
        if (source.remaining() < bytes) {
            throw new CodecException("an event that ends too early");
        }
    }
}
