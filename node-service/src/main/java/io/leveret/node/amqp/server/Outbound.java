package io.leveret.node.amqp.server;

import io.leveret.node.amqp.wire.DeliverTemplate;
import io.leveret.node.amqp.wire.FrameEncoder;
import io.leveret.node.amqp.wire.Method;
import io.leveret.node.broker.message.Message;
import io.leveret.node.runtime.SerialExecutor;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import org.jspecify.annotations.Nullable;

/**
 * What one connection sends. Everything is encoded straight into one growing buffer, which goes to the socket at the end of
 * the batch: one system call for all that a read, or a mailbox, set off. Lives on the connection's loop.
 *
 * <p>Bound: {@link #isWritable} turns false when the buffer, or what the socket has not taken, passes a high-water mark;
 * queues then deliver no more. Answers to methods are not stopped by it: they follow the client's own requests.
 */
final class Outbound {
    /** Large enough for one system call to be cheap per message, small enough to stay in the cache. */
    private static final int BUFFER_BYTES_MAX = 256 << 10;

    private static final int BUFFER_BYTES_MIN = 4 << 10;

    private final Channel socket;
    private final SerialExecutor executor;
    private final Runnable whenWritable;
    private int payloadBytesMax = FrameEncoder.payloadBytesMax(4096);

    @Nullable
    private ByteBuf buffer;

    private int nextCapacity = BUFFER_BYTES_MIN;
    private int unflushed;
    private boolean isFlushPlanned;
    private volatile boolean isFull;
    private long sentBytes;
    private long sentFrames;

    /** @param whenWritable runs on the loop when consumers may be given more after {@link #isWritable} was false */
    Outbound(Channel socket, SerialExecutor executor, Runnable whenWritable) {
        this.socket = socket;
        this.executor = executor;
        this.whenWritable = whenWritable;
    }

    void setFrameBytesMax(int frameBytesMax) {
        payloadBytesMax = FrameEncoder.payloadBytesMax(frameBytesMax);
    }

    /** Whether deliveries are welcome. Any thread; a hint. */
    boolean isWritable() {
        return !isFull && socket.isWritable();
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
        for (int at = 0; at < body.length; at += payloadBytesMax) {
            FrameEncoder.writeBody(open(), channel, body, at, Math.min(payloadBytesMax, body.length - at));
            sentFrames++;
            written();
        }
        written();
    }

    /** Raw bytes, before there are frames. */
    void raw(byte[] bytes) {
        open().writeBytes(bytes);
        written();
    }

    /** Sends what is left, then ends the connection. */
    void flushAndClose() {
        cut();
        socket.writeAndFlush(socket.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
    }

    /** Drops what is left: the socket is gone. */
    void discard() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
        }
    }

    long sentBytes() {
        return sentBytes;
    }

    long sentFrames() {
        return sentFrames;
    }

    long pendingBytes() {
        var pending = socket.unsafe().outboundBuffer();
        return unflushed + (pending == null ? 0 : pending.totalPendingWriteBytes());
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
        sentBytes += bytes;
        unflushed += bytes;
        isFull = unflushed >= BUFFER_BYTES_MAX;
        socket.write(full, socket.voidPromise());
    }

    private void flush() {
        isFlushPlanned = false;
        boolean wasFull = isFull;
        cut();
        unflushed = 0;
        isFull = false;
        socket.flush();
        if (wasFull && socket.isWritable()) {
            // A task of its own, so that one greedy consumer does not keep the loop to itself.
            executor.execute(whenWritable);
        }
    }
}
