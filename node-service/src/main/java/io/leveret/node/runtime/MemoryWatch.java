package io.leveret.node.runtime;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * <p>States: well, high. High when the process takes more than the limit, or a collection leaves less than a tenth of the heap
 * free.
 */
public final class MemoryWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryWatch.class);
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final double DEFAULT_FRACTION = 0.4;
    private static final double HEAP_FULL = 0.9;
    /** Blocked publishers allocate nothing, so that no collection would come by itself to show that there is room again. */
    private static final int LOOKS_PER_COLLECTION = 10;

    private static final Path STATUS = Path.of("/proc/self/status");

    /** Hears of changes, on the watch's thread; must not block. */
    @FunctionalInterface
    public interface Listener {
        void memoryIsHigh(boolean isHigh);
    }

    private final long physicalBytes =
            ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile long limitBytes = (long) (physicalBytes * DEFAULT_FRACTION);
    private volatile long usedBytes;
    private volatile boolean isHigh;
    /** Looks since the heap was found full; the watch's thread only. */
    private int fullLooks;

    private @Nullable Worker worker;

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
        usedBytes = residentBytes();
        boolean isFull = isHeapFull();
        fullLooks = isFull ? fullLooks + 1 : 0;
        if (fullLooks >= LOOKS_PER_COLLECTION) {
            fullLooks = 0;
            ManagementFactory.getMemoryMXBean().gc();
            isFull = isHeapFull();
        }
        boolean nowHigh = usedBytes > limitBytes || isFull;
        if (nowHigh != isHigh) {
            isHigh = nowHigh;
            LOG.warn("memory alarm {}: {} bytes used, limit {}", nowHigh ? "set" : "cleared", usedBytes, limitBytes);
            listeners.forEach(each -> each.memoryIsHigh(nowHigh));
        }
    }

    private static long residentBytes() {
        try {
            for (String line : Files.readAllLines(STATUS)) {
                if (line.startsWith("VmRSS:")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Not Linux: the heap is the next best figure.
        }
        return Runtime.getRuntime().totalMemory();
    }

    /** Whether the last collection of the old objects left little: what is garbage does not count. */
    private static boolean isHeapFull() {
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage afterCollection = pool.getCollectionUsage();
            boolean isOld = pool.getType() == MemoryType.HEAP && pool.getName().matches(".*(Old|Tenured).*");
            if (isOld && afterCollection != null && afterCollection.getMax() > 0) {
                return afterCollection.getUsed() > HEAP_FULL * afterCollection.getMax();
            }
        }
        return false;
    }

    @Override
    public void close() {
        Worker running = worker;
        if (running != null) {
            running.close();
        }
    }
}
