package io.leveret.node.cluster.peer;

import io.leveret.model.NodeName;
import io.leveret.node.runtime.Cancellable;
import io.leveret.node.runtime.SerialExecutor;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An authenticated connection. Owned by the executor of its socket. Per class of traffic it keeps what waits for the peer's
 * credit, in order; classes are served in the order of {@link PeerClass}. Bound of what is written to the socket: the sum of
 * the windows and one segment each; of what waits: {@link #WAITING_BYTES_MAX}, at which the link ends.
 */
final class NettyPeerLink implements PeerLink, PeerFrameDecoder.Sink {
    private static final Logger LOG = LoggerFactory.getLogger(NettyPeerLink.class);
    private static final PeerClass[] CLASSES = PeerClass.values();
    /** Parts of the tolerated silence: a ping is due after one without traffic. */
    private static final int TICKS_PER_SILENCE = 4;

    /**
     * What may wait for credit, and one segment more. Who can wait looks at {@link #isWritable}; what cannot wait (events for a mirror that is out of
     * the in-sync set, say) must not fill the memory: the peer begins again when it can.
     */
    static final long WAITING_BYTES_MAX =
            Math.min(128L << 20, Runtime.getRuntime().maxMemory() / 4);

    /** Some frames of one class in one buffer. */
    record Segment(ByteBuf bytes, int payloadBytes) {}

    private final Channel channel;
    private final SerialExecutor executor;
    private final NodeName peer;
    private final long peerBoot;
    private final long number;
    private final NettyPeerTransport transport;
    private final ConcurrentHashMap<SerialExecutor, NettyPeerOutbox> outboxes = new ConcurrentHashMap<>();
    private final CRC32C crc = new CRC32C();

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of deques, indexed by class
    private final ArrayDeque<Segment>[] waiting = new ArrayDeque[PeerClass.COUNT];

    private long waitingBytes;
    private final long[] underWay = new long[PeerClass.COUNT];
    private final AtomicLongArray released = new AtomicLongArray(PeerClass.COUNT);
    private final AtomicBoolean isCreditDue = new AtomicBoolean();
    /** Bit per class; written by the owner, read by any thread. */
    private volatile int blocked;

    private volatile boolean isOpen = true;
    private boolean isFlushDue;
    private long heardReads;
    private long heardAtTick;
    private int silentTicks;
    private boolean hasWrittenSinceTick;
    private @Nullable Cancellable tick;
    private @Nullable Runnable afterEnd;
    private boolean isStarted;
    private boolean isEnded;
    private String endReason = "the peer closed the connection";

    NettyPeerLink(Channel channel, NettyPeerTransport transport, NodeName peer, long peerBoot, long number) {
        this.channel = channel;
        this.transport = transport;
        this.executor = transport.executorOf(channel);
        this.peer = peer;
        this.peerBoot = peerBoot;
        this.number = number;
        for (int i = 0; i < waiting.length; i++) {
            waiting[i] = new ArrayDeque<>();
        }
    }

    /** Listeners hear of it; then frames flow. */
    void start() {
        executor.assertInside();
        if (!isOpen) {
            return;
        }
        isStarted = true;
        LOG.info("link {} to {} is up", number, peer);
        transport.listeners().forEach(each -> each.linkUp(this));
        scheduleTick();
    }

    @Override
    public NodeName peer() {
        return peer;
    }

    @Override
    public long peerBoot() {
        return peerBoot;
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public boolean isOpen() {
        return isOpen;
    }

    @Override
    public SerialExecutor executor() {
        return executor;
    }

    @Override
    public PeerOutbox outbox(SerialExecutor caller) {
        return outboxes.computeIfAbsent(caller, key -> new NettyPeerOutbox(this, key, channel.alloc()));
    }

    @Override
    public boolean isWritable(PeerClass trafficClass) {
        return isOpen && (blocked & 1 << trafficClass.ordinal()) == 0;
    }

    /** Takes a segment; on the owner. */
    void enqueue(PeerClass trafficClass, Segment segment) {
        if (!isOpen) {
            segment.bytes().release();
            return;
        }
        waiting[trafficClass.ordinal()].add(segment);
        waitingBytes += segment.payloadBytes();
    }

    /** Writes what credit allows; on the owner. */
    void pump() {
        if (!isOpen) {
            return;
        }
        int stillBlocked = 0;
        for (PeerClass each : CLASSES) {
            int index = each.ordinal();
            ArrayDeque<Segment> queue = waiting[index];
            boolean mayPass = each != PeerClass.BACKFILL || waiting[PeerClass.LIVE.ordinal()].isEmpty();
            while (mayPass && !queue.isEmpty() && underWay[index] < each.windowBytes) {
                Segment segment = queue.remove();
                waitingBytes -= segment.payloadBytes();
                underWay[index] += segment.payloadBytes();
                write(segment.bytes());
            }
            if (!mayPass || !queue.isEmpty() || underWay[index] >= each.windowBytes) {
                stillBlocked |= 1 << index;
            }
        }
        // One message may be as large as the bound: it alone is no reason.
        if (waitingBytes > transport.waitingBytesMax()
                && waitingBytes - largestWaiting() > transport.waitingBytesMax()) {
            close("it takes too little of what it is sent: " + waitingBytes + " bytes wait");
            return;
        }
        int freed = blocked & ~stillBlocked;
        blocked = stillBlocked;
        for (PeerClass each : CLASSES) {
            if ((freed & 1 << each.ordinal()) != 0) {
                transport.listeners().forEach(listener -> listener.writable(this, each));
            }
        }
    }

    private int largestWaiting() {
        int largest = 0;
        for (ArrayDeque<Segment> queue : waiting) {
            for (Segment each : queue) {
                largest = Math.max(largest, each.payloadBytes());
            }
        }
        return largest;
    }

    private void write(ByteBuf bytes) {
        channel.write(bytes, channel.voidPromise());
        hasWrittenSinceTick = true;
        if (!isFlushDue) {
            isFlushDue = true;
            executor.atEndOfBatch(this::flush);
        }
    }

    private void flush() {
        isFlushDue = false;
        channel.flush();
    }

    @Override
    public void frame(int classByte, int service, ByteBuffer payload) {
        if (classByte == PeerFrame.CONTROL) {
            onControl(service, payload);
            return;
        }
        PeerService handler = transport.service(service);
        if (classByte >= PeerClass.COUNT || handler == null) {
            close("it sent a frame of class " + classByte + " for service " + service + ", which is not known here");
            return;
        }
        PeerClass trafficClass = CLASSES[classByte];
        int bytes = payload.remaining();
        try {
            handler.received(this, trafficClass, payload);
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            LOG.warn("service {} cannot read a frame of {}", service, peer, e);
            close("it sent a frame that service " + service + " cannot read");
            return;
        }
        if (!handler.releasesItself()) {
            release(trafficClass, bytes);
        }
    }

    private void onControl(int type, ByteBuffer payload) {
        if (type == PeerFrame.CREDIT && payload.remaining() == 9) {
            int index = payload.get();
            long bytes = payload.getLong();
            if (index < 0 || index >= PeerClass.COUNT || bytes < 0 || bytes > underWay[index]) {
                close("it gave credit that was not taken");
                return;
            }
            underWay[index] -= bytes;
            pump();
        } else if (type != PeerFrame.PING) {
            close("it sent control frame " + type);
        }
    }

    @Override
    public void release(PeerClass trafficClass, int bytes) {
        long total = released.addAndGet(trafficClass.ordinal(), bytes);
        if (total >= trafficClass.windowBytes / 4 && isCreditDue.compareAndSet(false, true)) {
            executor.run(this::sendCredit);
        }
    }

    private void sendCredit() {
        isCreditDue.set(false);
        for (int i = 0; i < PeerClass.COUNT; i++) {
            long bytes = released.getAndSet(i, 0);
            if (bytes > 0) {
                control(
                        PeerFrame.CREDIT,
                        ByteBuffer.allocate(9).put((byte) i).putLong(bytes).flip());
            }
        }
    }

    private void control(int type, ByteBuffer payload) {
        if (isOpen) {
            ByteBuf out = channel.alloc().buffer(PeerFrame.sizeOf(payload));
            PeerFrame.append(out, crc, PeerFrame.CONTROL, type, payload);
            write(out);
        }
    }

    private void scheduleTick() {
        long nanos = TimeUnit.MILLISECONDS.toNanos(transport.config().silenceMillisMax()) / TICKS_PER_SILENCE;
        tick = executor.schedule(this::onTick, nanos);
    }

    /** Counts quiet ticks instead of reading a clock: after a pause of this whole process one tick has passed, not many. */
    private void onTick() {
        if (!isOpen) {
            return;
        }
        silentTicks = heardReads == heardAtTick ? silentTicks + 1 : 0;
        heardAtTick = heardReads;
        if (silentTicks > TICKS_PER_SILENCE) {
            close("it was silent for " + transport.config().silenceMillisMax() + " ms");
            return;
        }
        if (!hasWrittenSinceTick) {
            control(PeerFrame.PING, ByteBuffer.allocate(0));
        }
        hasWrittenSinceTick = false;
        scheduleTick();
    }

    @Override
    public void heard() {
        heardReads++;
    }

    @Override
    public void close(String reason) {
        executor.run(() -> {
            if (isOpen) {
                endReason = reason;
                end();
                channel.close();
            }
        });
    }

    @Override
    public void broken(String reason) {
        close(reason);
    }

    @Override
    public void closed() {
        end();
    }

    private void end() {
        if (isEnded) {
            return;
        }
        isEnded = true;
        isOpen = false;
        LOG.info("link {} to {} ended: {}", number, peer, endReason);
        if (tick != null) {
            tick.cancel();
        }
        for (ArrayDeque<Segment> queue : waiting) {
            queue.forEach(each -> each.bytes().release());
            queue.clear();
        }
        outboxes.clear();
        transport.ended(this);
        if (isStarted) {
            transport.listeners().forEach(each -> each.linkDown(this));
        }
        if (afterEnd != null) {
            afterEnd.run();
        }
    }

    /** Runs the task once this link has ended and listeners have heard of it. Any thread; once. */
    void whenEnded(Runnable task) {
        executor.run(() -> {
            if (isEnded) {
                task.run();
            } else {
                afterEnd = task;
            }
        });
    }
}
