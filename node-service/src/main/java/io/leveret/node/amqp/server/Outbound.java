package io.leveret.node.amqp.server;

import io.leveret.node.amqp.wire.DeliverTemplate;
import io.leveret.node.amqp.wire.FrameEncoder;
import io.leveret.node.amqp.wire.Method;
import io.leveret.node.broker.message.Message;
import io.leveret.node.runtime.SerialExecutor;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What one connection sends. Everything is encoded straight into one growing buffer, which goes to the socket at the end of
 * the batch: one system call for all that a read, or a mailbox, set off. Lives on the connection's loop.
 *
 * <p>A large body is not encoded at once: it, and what comes after it, waits here until the socket has taken what is before.
 *
 * <p>Bound: {@link #isWritable} turns false when the buffer, or what the socket has not taken, passes a high-water mark;
 * queues then deliver no more. Answers to methods are not stopped by it: they follow the client's own requests, which
 * {@link UnreadWatch} stops.
 */
final class Outbound implements UnreadWatch.Sending {
    /** Large enough for one system call to be cheap per message, small enough to stay in the cache. */
    private static final int BUFFER_BYTES_MAX = 256 << 10;

    private static final int BUFFER_BYTES_MIN = 4 << 10;
    /** A body from here on is encoded as the socket takes it. */
    private static final int LARGE_BODY_BYTES = 512 << 10;
    /** A quick socket must not keep the loop to itself. */
    private static final int PUMPS_PER_TURN_MAX = 8;

    private final Channel socket;
    private final SerialExecutor executor;
    private final Runnable whenWritable;
    private @Nullable UnreadWatch watch;
    /** What waits behind a large body, which is the first of it. */
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    private int payloadBytesMax = FrameEncoder.payloadBytesMax(4096);

    @Nullable
    private ByteBuf buffer;

    private int nextCapacity = BUFFER_BYTES_MIN;
    private int unflushed;
    private boolean isFlushPlanned;
    private volatile boolean isFull;
    private volatile boolean isWaiting;
    private long waitingBytes;
    private long sentBytes;
    private long sentFrames;

    /** Frames that are encoded, or the rest of a body that is not. */
    private sealed interface Waiting permits Encoded, LargeBody {}

    private record Encoded(ByteBuf bytes) implements Waiting {}

    private static final class LargeBody implements Waiting {
        private final int channel;
        private final byte[] body;
        private int counted;
        private int at;

        LargeBody(int channel, byte[] body, int counted) {
            this.channel = channel;
            this.body = body;
            this.counted = counted;
        }
    }

    /** @param whenWritable runs on the loop when consumers may be given more after {@link #isWritable} was false */
    Outbound(Channel socket, SerialExecutor executor, Runnable whenWritable) {
        this.socket = socket;
        this.executor = executor;
        this.whenWritable = whenWritable;
    }

    /** Who looks at what the client leaves unread, from now on. */
    void watch(UnreadWatch unread) {
        watch = unread;
    }

    /** Whether so much waits for the client to read it that nothing more should be done for it. */
    boolean isUnread() {
        return watch != null && watch.isMuch();
    }

    private void look() {
        if (watch != null) {
            watch.look();
        }
    }

    void setFrameBytesMax(int frameBytesMax) {
        payloadBytesMax = FrameEncoder.payloadBytesMax(frameBytesMax);
    }

    /** Whether deliveries are welcome. Any thread; a hint. */
    boolean isWritable() {
        return !isFull && !isWaiting && socket.isWritable();
    }

    void method(int channel, Method method) {
        FrameEncoder.writeMethod(open(), channel, method);
        sentFrames++;
        written();
    }

    void heartbeat() {
        FrameEncoder.writeHeartbeat(open());
        sentFrames++;
        written();
    }

    /** A method with a message. */
    void content(int channel, Method method, Message message) {
        FrameEncoder.writeMethod(open(), channel, method);
        sentFrames++;
        content(channel, message);
    }

    void deliver(DeliverTemplate template, int channel, long deliveryTag, boolean isRedelivered, Message message) {
        template.write(open(), deliveryTag, isRedelivered, message);
        sentFrames++;
        content(channel, message);
    }

    private void content(int channel, Message message) {
        FrameEncoder.writeHeader(open(), channel, message);
        sentFrames++;
        byte[] body = message.body();
        if (body.length >= LARGE_BODY_BYTES) {
            cut();
            // The first one is under way, and the client's to read; those behind it are what piles up.
            LargeBody large = new LargeBody(channel, body, waiting.isEmpty() ? 0 : body.length);
            waitingBytes += large.counted;
            waiting.add(large);
            isWaiting = true;
            look();
        } else {
            for (int at = 0; at < body.length; at += payloadBytesMax) {
                FrameEncoder.writeBody(open(), channel, body, at, Math.min(payloadBytesMax, body.length - at));
                sentFrames++;
                written();
            }
        }
        written();
    }

    /** Raw bytes, before there are frames. */
    void raw(byte[] bytes) {
        open().writeBytes(bytes);
        written();
    }

    /** Sends what is left, then ends the connection. Who closes it does not listen any more to what waits. */
    void flushAndClose() {
        dropWaiting();
        cut();
        socket.writeAndFlush(socket.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
    }

    /** Drops what is left: the socket is gone. */
    void discard() {
        if (watch != null) {
            watch.stop();
        }
        dropWaiting();
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
    }

    private void dropWaiting() {
        for (Waiting each : waiting) {
            if (each instanceof Encoded encoded) {
                encoded.bytes().release();
            }
        }
        waiting.clear();
        waitingBytes = 0;
        isWaiting = false;
    }

    @Override
    public long sentBytes() {
        return sentBytes;
    }

    long sentFrames() {
        return sentFrames;
    }

    @Override
    public long pendingBytes() {
        var pending = socket.unsafe().outboundBuffer();
        return unflushed + waitingBytes + (pending == null ? 0 : pending.totalPendingWriteBytes());
    }

    private ByteBuf open() {
        ByteBuf current = buffer;
        if (current == null) {
            current = socket.alloc().directBuffer(nextCapacity);
            buffer = current;
        }
        return current;
    }

    private void written() {
        if (buffer != null && buffer.readableBytes() >= BUFFER_BYTES_MAX) {
            cut();
        }
        if (!isFlushPlanned) {
            isFlushPlanned = true;
            executor.atEndOfBatch(this::flush);
        }
    }

    /** Hands the buffer to the socket, without a system call yet. */
    private void cut() {
        ByteBuf full = buffer;
        if (full == null) {
            return;
        }
        buffer = null;
        int bytes = full.readableBytes();
        // The next batch is probably like this one.
        nextCapacity = Math.max(BUFFER_BYTES_MIN, Math.min(BUFFER_BYTES_MAX, Integer.highestOneBit(bytes) * 2));
        if (waiting.isEmpty()) {
            write(full);
        } else {
            waitingBytes += bytes;
            waiting.add(new Encoded(full));
        }
        look();
    }

    private void write(ByteBuf frames) {
        int bytes = frames.readableBytes();
        sentBytes += bytes;
        unflushed += bytes;
        isFull = unflushed >= BUFFER_BYTES_MAX;
        socket.write(frames, socket.voidPromise());
    }

    /** Gives the socket of what waits as much as it takes well. */
    private void pump() {
        while (!waiting.isEmpty() && socket.isWritable()) {
            Waiting first = waiting.element();
            if (first instanceof LargeBody large) {
                waitingBytes -= large.counted;
                large.counted = 0;
                write(nextFrames(large));
                if (large.at == large.body.length) {
                    waiting.remove();
                }
            } else if (waiting.remove() instanceof Encoded encoded) {
                waitingBytes -= encoded.bytes().readableBytes();
                write(encoded.bytes());
            }
        }
        isWaiting = !waiting.isEmpty();
    }

    private ByteBuf nextFrames(LargeBody large) {
        ByteBuf frames = socket.alloc().directBuffer(BUFFER_BYTES_MAX);
        while (large.at < large.body.length && frames.readableBytes() < BUFFER_BYTES_MAX / 2) {
            int length = Math.min(payloadBytesMax, large.body.length - large.at);
            FrameEncoder.writeBody(frames, large.channel, large.body, large.at, length);
            large.at += length;
            sentFrames++;
        }
        return frames;
    }

    /** The socket takes more. @return whether consumers may be given more */
    boolean takeMore() {
        if (!waiting.isEmpty()) {
            flush();
        }
        look();
        return isWritable();
    }

    private void flush() {
        isFlushPlanned = false;
        boolean wasFull = isFull;
        boolean wasWaiting = isWaiting;
        cut();
        pump();
        unflushed = 0;
        isFull = false;
        socket.flush();
        for (int turns = 0; isWaiting && socket.isWritable(); turns++) {
            if (turns == PUMPS_PER_TURN_MAX) {
                executor.execute(this::flush);
                break;
            }
            pump();
            unflushed = 0;
            socket.flush();
        }
        isFull = false;
        if ((wasFull || wasWaiting) && isWritable()) {
            // A task of its own, so that one greedy consumer does not keep the loop to itself.
            executor.execute(whenWritable);
        }
        look();
    }
}
