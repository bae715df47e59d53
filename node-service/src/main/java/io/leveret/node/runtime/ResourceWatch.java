package io.leveret.node.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the free space of the data folder and raises an alarm before writes fail. Publishers are blocked while it lasts, so
 * that what is left is for settling. The limit must be above what a journal needs to release its log: a few log files.
 *
 * <p>States: well, low. Low when less than the limit is free, well again when a tenth more than the limit is: no flapping.
 */
public final class ResourceWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceWatch.class);
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How much is free on the disk of the data folder. */
    @FunctionalInterface
    public interface Space {
        long freeBytes() throws IOException;
    }

    /** Hears of changes, on the watch's thread; must not block. */
    @FunctionalInterface
    public interface Listener {
        void diskIsLow(boolean isLow, long freeBytes);
    }

    private final Space space;
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile long lowBytes;
    private volatile boolean isLow;
    private volatile long freeBytes;
    private volatile @Nullable Worker worker;

    /** @param lowBytes alarm below this */
    public ResourceWatch(Space space, long lowBytes) {
        this.space = space;
        this.lowBytes = lowBytes;
    }

    /** A watch of the disk that holds this folder. */
    public static ResourceWatch ofFolder(Path folder, long lowBytes) {
        return new ResourceWatch(() -> Files.getFileStore(folder).getUsableSpace(), lowBytes);
    }

    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    /** Looks once a second from now on. Called once. */
    public void start(FaultHandler faults) {
        worker = Worker.start(
                "resources",
                () -> {
                    check();
                    return INTERVAL_NANOS;
                },
                faults);
    }

    /** Another limit; looked at soon. */
    public void setLowBytes(long lowBytes) {
        this.lowBytes = lowBytes;
        Worker running = worker;
        if (running != null) {
            running.ring();
        }
    }

    public long lowBytes() {
        return lowBytes;
    }

    public boolean isLow() {
        return isLow;
    }

    /** What was free when last looked at. */
    public long freeBytes() {
        return freeBytes;
    }

    /** Looks now. A disk that cannot be asked keeps its state. */
    void check() {
        try {
            freeBytes = space.freeBytes();
        } catch (IOException e) {
            LOG.warn("cannot ask for the free disk space", e);
            return;
        }
        long limit = lowBytes;
        boolean wasLow = isLow;
        boolean nowLow = wasLow ? freeBytes < limit + limit / 10 : freeBytes < limit;
        if (nowLow != wasLow) {
            isLow = nowLow;
            LOG.warn("disk alarm {}: {} bytes free, limit {}", nowLow ? "set" : "cleared", freeBytes, limit);
            listeners.forEach(each -> each.diskIsLow(nowLow, freeBytes));
        }
    }

    @Override
    public void close() {
        Worker running = worker;
        if (running != null) {
            running.close();
        }
    }
}
