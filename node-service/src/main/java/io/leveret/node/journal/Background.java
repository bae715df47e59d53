package io.leveret.node.journal;

import io.leveret.node.runtime.NodeClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the background thread does, one small step at a time: release log files above the bound, rewrite sparse segments, keep
 * a preallocated log file ready. Copying is throttled unless the log is far above its size.
 */
final class Background implements ReleaseJob.Surroundings {
    private static final Logger LOG = LoggerFactory.getLogger(Background.class);
    private static final int SPARES_MAX = 2;
    private static final int ZEROS_BYTES = 1 << 20;
    /** The log may grow to this many times its size before publishers are stopped. */
    private static final int OVERFULL = 4;

    private static final long LOOK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long SYNC_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** What the background asks of the journal around it. */
    interface Outside {
        void ringBackground();

        /** Makes the log be synced soon. */
        void commit();

        void fence(Runnable task);

        void drop(long stream);
    }

    private final FileStorage storage;
    private final WriteAheadLog log;
    private final AppendBuffer buffer;
    private final JournalSettings settings;
    private final NodeClock clock;
    private final Outside outside;
    private final SegmentStore segments;
    private final Manifest manifest;
    private final FileWindow window = new FileWindow();
    private final Map<Long, Long> drops = new HashMap<>();
    private volatile @Nullable ReleaseOwner owner;
    private @Nullable ReleaseJob job;
    private long jobSince;
    private boolean isBatchClosed;
    private boolean isSegmentsTurn;
    private volatile boolean isFenced;
    private long damagedThrough;
    private @Nullable LogFile spare;
    /** The newest log file when the last new file was begun, which has its name from it. */
    private long spareMadeAt = -1;

    private long spareFilled;
    private volatile long copiedBytes;
    private volatile long releasedFiles;
    private volatile boolean isOverfull;

    Background(
            FileStorage storage,
            WriteAheadLog log,
            AppendBuffer buffer,
            JournalSettings settings,
            NodeClock clock,
            Outside outside) {
        this.storage = storage;
        this.log = log;
        this.buffer = buffer;
        this.settings = settings;
        this.clock = clock;
        this.outside = outside;
        segments = new SegmentStore(storage, settings);
        manifest = new Manifest(storage);
    }

    /** Recovers the old generation, then the log, and begins a new log file. */
    RecoveryReport recover(RecoveryVisitor visitor) throws IOException {
        RecoveryStreams streams = new RecoveryStreams(visitor);
        manifest.recover(streams, window);
        segments.recover(manifest, streams, window);
        LogRecovery recovery = new LogRecovery(storage, streams);
        recovery.run(manifest.released());
        drops.putAll(streams.drops());
        segments.drop(drops.keySet());
        damagedThrough = recovery.damagedThrough();
        keepSpares(recovery.unused());
        log.start(recovery.found(), recovery.nextSequence(), recovery.end());
        return streams.report(recovery.cutBytes());
    }

    private void keepSpares(List<LogFile> unused) throws IOException {
        for (LogFile file : unused) {
            if (log.spares().size() < SPARES_MAX && file.size() >= settings.logFileBytes()) {
                log.spares().add(file);
            } else {
                file.delete();
            }
        }
    }

    void setOwner(ReleaseOwner releaseOwner) {
        owner = releaseOwner;
    }

    /** One step; returns how long to wait before the next unless rung. After an exception the step is tried again. */
    long step() throws IOException, FsyncFailedException {
        takeDrops();
        isOverfull = log.completeFiles() > OVERFULL * settings.logFilesMax();
        ReleaseJob running = job;
        if (running == null) {
            running = choose();
            job = running;
            jobSince = clock.nanoTime();
        }
        if (running == null) {
            return prepareSpare();
        }
        switch (running.phase()) {
            case ASKING:
                return ask(running);
            case SYNCING:
                return sync(running);
            case MOVING:
                return move(running);
            case FENCE:
                return isFenced ? finish(running) : LOOK_AGAIN_NANOS;
            default:
                throw new IllegalStateException("a finished job");
        }
    }

    private void takeDrops() {
        for (WriteAheadLog.Drop drop = log.drops().poll();
                drop != null;
                drop = log.drops().poll()) {
            drops.put(drop.stream(), drop.position());
            segments.drop(Set.of(drop.stream()));
            if (job != null) {
                job.dropped(drop.stream());
            }
        }
    }

    private @Nullable ReleaseJob choose() {
        ReleaseOwner asked = owner;
        if (asked == null) {
            return null;
        }
        // In turn, so that a log always above its size does not keep sparse segments for ever.
        Segment sparse = segments.sparsest();
        if (sparse != null && (isSegmentsTurn || !isLogDue())) {
            isSegmentsTurn = false;
            return ReleaseJob.of(sparse, asked, this, segments, manifest, window);
        }
        isSegmentsTurn = true;
        return isLogDue()
                ? ReleaseJob.of(log.files().firstEntry().getValue(), asked, this, segments, manifest, window)
                : null;
    }

    private boolean isLogDue() {
        Map.Entry<Long, WalFile> oldest = log.files().firstEntry();
        return oldest != null
                && oldest.getValue().isComplete
                && (log.completeFiles() > settings.logFilesMax() || oldest.getKey() <= damagedThrough);
    }

    private long ask(ReleaseJob running) throws IOException, FsyncFailedException {
        long before = running.copiedBytes();
        long bytes = running.ask();
        copiedBytes = copiedBytes + running.copiedBytes() - before;
        if (bytes < 0) {
            return waitForOwners(running);
        }
        jobSince = clock.nanoTime();
        boolean isHurried = log.completeFiles() > settings.logFilesMax() * 3 / 2 + 1;
        return isHurried ? 0 : bytes * TimeUnit.SECONDS.toNanos(1) / settings.copyBytesPerSecond();
    }

    private long waitForOwners(ReleaseJob running) {
        long waited = clock.nanoTime() - jobSince;
        if (waited > 2 * LOOK_AGAIN_NANOS) {
            LOG.warn("waiting {} s for owners of streams, in phase {}", waited / 1_000_000_000, running.phase());
        }
        return LOOK_AGAIN_NANOS;
    }

    private long sync(ReleaseJob running) throws IOException, FsyncFailedException {
        if (!running.isLogDurable()) {
            outside.commit();
            return SYNC_WAIT_NANOS;
        }
        if (!isBatchClosed) {
            running.addDrops();
            for (Segment each : segments.force()) {
                manifest.addSegment(each.extent());
            }
            Segment sparse = running.segment;
            if (sparse != null) {
                manifest.addSegmentGone(sparse.number);
            }
            isBatchClosed = true;
        }
        WalFile file = running.walFile;
        manifest.commit(file == null ? manifest.released() : file.sequence);
        isBatchClosed = false;
        running.committed();
        jobSince = clock.nanoTime();
        return 0;
    }

    private long move(ReleaseJob running) {
        if (!running.move()) {
            return waitForOwners(running);
        }
        isFenced = false;
        running.enter(ReleaseJob.Phase.FENCE);
        outside.fence(() -> {
            isFenced = true;
            outside.ringBackground();
        });
        return isFenced ? 0 : LOOK_AGAIN_NANOS;
    }

    private long finish(ReleaseJob running) throws IOException, FsyncFailedException {
        WalFile file = running.walFile;
        if (file != null) {
            log.files().remove(file.sequence);
            drops.values().removeIf(position -> Positions.file(position) <= file.sequence);
            if (log.spares().size() < SPARES_MAX
                    && file.file.size() >= settings.logFileBytes()
                    && file.file.size() <= settings.logFileBytes() * 2L) {
                file.file.renameTo(WalFile.spareName(file.sequence));
                log.spares().add(file.file);
            } else {
                file.file.delete();
            }
        }
        Segment sparse = running.segment;
        if (sparse != null) {
            segments.delete(sparse);
        }
        releasedFiles = releasedFiles + 1;
        window.reset();
        job = null;
        manifest.compactIfDue();
        return 0;
    }

    /** Writes zeros to a file of the log's size, a piece at a time, so that the writer need not make a file grow. */
    private long prepareSpare() throws IOException, FsyncFailedException {
        LogFile file = spare;
        long newest = log.files().lastKey();
        // The writer may be about to rename the file that was made at this point: it must not be opened a second time.
        if (!log.spares().isEmpty() || (file == null && newest == spareMadeAt)) {
            return LOOK_AGAIN_NANOS;
        }
        if (file == null) {
            file = storage.open(WalFile.freshName(newest));
            spare = file;
            spareMadeAt = newest;
            spareFilled = 0;
        }
        int bytes = (int) Math.min(ZEROS_BYTES, settings.logFileBytes() - spareFilled);
        if (bytes > 0) {
            file.write(ByteBuffer.allocate(bytes), spareFilled);
            spareFilled += bytes;
            return bytes * TimeUnit.SECONDS.toNanos(1) / settings.copyBytesPerSecond();
        }
        try {
            file.force();
        } catch (IOException e) {
            throw new FsyncFailedException(file.name(), e);
        }
        spare = null;
        log.spares().add(file);
        return LOOK_AGAIN_NANOS;
    }

    // ---- for any thread

    @Nullable
    LogFile find(long position) {
        if (Positions.isInSegment(position)) {
            return segments.find(position);
        }
        WalFile file = log.files().get(Positions.file(position));
        return file == null ? null : file.file;
    }

    void discard(long stream, long position) {
        segments.discard(stream, position);
    }

    SegmentStore segments() {
        return segments;
    }

    long copiedBytes() {
        return copiedBytes;
    }

    long releasedFiles() {
        return releasedFiles;
    }

    /** Whether the log has grown so far above its size that no more should come. */
    boolean isOverfull() {
        return isOverfull;
    }

    // ---- for the job

    @Override
    public long endOfLog() {
        return buffer.end();
    }

    @Override
    public long durable() {
        return log.durable();
    }

    @Override
    public Map<Long, Long> drops() {
        return drops;
    }

    @Override
    public void ring() {
        outside.ringBackground();
    }

    @Override
    public void drop(long stream) {
        outside.drop(stream);
    }
}
