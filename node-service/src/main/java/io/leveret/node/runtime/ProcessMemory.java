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
import org.jspecify.annotations.Nullable;

/** The memory of this process, as Linux and the virtual machine tell it. */
final class ProcessMemory implements MemoryWatch.Readings {
    private static final double HEAP_FULL = 0.9;
    private static final Path STATUS = Path.of("/proc/self/status");

    private final List<MemoryPoolMXBean> heapPools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();

    private final @Nullable MemoryPoolMXBean old = heapPools.stream()
            .filter(pool -> pool.getName().matches(".*(Old|Tenured).*"))
            .findFirst()
            .orElse(null);

    /** The virtual machine knows both versions of control groups. */
    @Override
    public long physicalBytes() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
    }

    @Override
    public long heapBytesMax() {
        return Runtime.getRuntime().maxMemory();
    }

    /** What is resident, but of the heap only what is in use; what is new counts as garbage, as nearly all of it is. */
    @Override
    public long usedBytes() {
        long idle = 0;
        for (MemoryPoolMXBean pool : heapPools) {
            MemoryUsage usage = pool.getUsage();
            if (usage != null) {
                idle += usage.getCommitted() - (pool.getName().contains("Eden") ? 0 : usage.getUsed());
            }
        }
        // What was committed and never touched is not resident either.
        return Math.max(oldBytes(), residentBytes() - idle);
    }

    @Override
    public long oldBytes() {
        MemoryUsage usage = old == null ? null : old.getUsage();
        return usage == null ? 0 : usage.getUsed();
    }

    @Override
    public boolean isHeapFull() {
        MemoryUsage afterCollection = old == null ? null : old.getCollectionUsage();
        return afterCollection != null
                && afterCollection.getMax() > 0
                && afterCollection.getUsed() > HEAP_FULL * afterCollection.getMax();
    }

    @Override
    public void collect() {
        ManagementFactory.getMemoryMXBean().gc();
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
}
