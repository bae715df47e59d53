package io.leveret.node.runtime;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches what the process takes of the machine's memory, and what is left of the heap after it was collected. An alarm blocks
 * publishers, so that what is left is for those who settle.
 *
 * <p>States: well, high. High when the process uses more than the limit, or a collection leaves less than a tenth of the heap
 * free. The parts of the heap that it holds and does not use do not count: a heap that was large once is not given back to the
 * machine, and would leave the alarm on for ever.
 *
 * <p>The limit is two fifths of the memory, as users know it, unless the heap was allowed more than that: what it may take is
 * what somebody meant to give. A limit that is set is taken as it is.
 */
public final class MemoryWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryWatch.class);
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final double DEFAULT_FRACTION = 0.4;
    /** A limit that is not set leaves this much of the memory to others. */
    private static final double DEFAULT_FRACTION_MAX = 0.8;
    /** Classes, compiled code, threads and buffers of sockets. */
    private static final long BESIDE_THE_HEAP_BYTES = 256L << 20;
    /** Blocked publishers allocate nothing, so that no collection would come by itself to show that there is room again. */
    private static final int LOOKS_PER_COLLECTION = 10;

    /** Hears of changes, on the watch's thread; must not block. */
    @FunctionalInterface
    public interface Listener {
        void memoryIsHigh(boolean isHigh);
    }

    /** What a look finds. */
    interface Readings {
        /** What there is: the machine's, or what the container may take of it. */
        long physicalBytes();

        /** The largest heap. */
        long heapBytesMax();

        /** What the process uses. */
        long usedBytes();

        /** What a collection of the old objects might give back of that, at most. */
        long oldBytes();

        /** Whether the last collection of the old objects left little: what is garbage does not count. */
        boolean isHeapFull();

        /** Collects what is garbage. */
        void collect();
    }

    private final Readings readings;
    private final long physicalBytes;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile long limitBytes;
    private volatile long usedBytes;
    private volatile boolean isHigh;
    /** Looks since the memory was found high; the watch's thread only. */
    private int highLooks;

    private volatile @Nullable Worker worker;

    /** A watch of this process. */
    public MemoryWatch() {
        this(new ProcessMemory());
    }

    MemoryWatch(Readings readings) {
        this.readings = readings;
        physicalBytes = readings.physicalBytes();
        long meant = Math.min(
                (long) (physicalBytes * DEFAULT_FRACTION_MAX), readings.heapBytesMax() + BESIDE_THE_HEAP_BYTES);
        limitBytes = Math.max((long) (physicalBytes * DEFAULT_FRACTION), meant);
    }

    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    /** Looks twice a second from now on. Called once. */
    public void start(FaultHandler faults) {
        worker = Worker.start(
                "memory",
                () -> {
                    check();
                    return INTERVAL_NANOS;
                },
                faults);
    }

    /** Another limit, as a part of the machine's memory; looked at soon. */
    public void setFraction(double fraction) {
        setLimitBytes((long) (physicalBytes * fraction));
    }

    public void setLimitBytes(long bytes) {
        limitBytes = bytes;
        Worker running = worker;
        if (running != null) {
            running.ring();
        }
    }

    /** The machine's memory, or what the container may take of it. */
    public long physicalBytes() {
        return physicalBytes;
    }

    public long limitBytes() {
        return limitBytes;
    }

    /** What the process took when last looked at. */
    public long usedBytes() {
        return usedBytes;
    }

    public boolean isHigh() {
        return isHigh;
    }

    /** Looks now. */
    void check() {
        boolean nowHigh = look();
        if (nowHigh != isHigh) {
            isHigh = nowHigh;
            LOG.warn(
                    "memory alarm {}: {} bytes used, limit {}{}",
                    nowHigh ? "set" : "cleared",
                    usedBytes,
                    limitBytes,
                    readings.isHeapFull() ? "; the heap is full" : "");
            listeners.forEach(each -> each.memoryIsHigh(nowHigh));
        }
    }

    private boolean look() {
        if (!isOver()) {
            highLooks = 0;
            return false;
        }
        highLooks++;
        if (highLooks < LOOKS_PER_COLLECTION) {
            return true;
        }
        highLooks = 0;
        if (!readings.isHeapFull() && usedBytes - readings.oldBytes() > limitBytes) {
            return true;
        }
        readings.collect();
        return isOver();
    }

    private boolean isOver() {
        usedBytes = readings.usedBytes();
        return usedBytes > limitBytes || readings.isHeapFull();
    }

    @Override
    public void close() {
        Worker running = worker;
        if (running != null) {
            running.close();
        }
    }
}
