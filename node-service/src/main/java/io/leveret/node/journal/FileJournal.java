package io.leveret.node.journal;

import io.leveret.node.runtime.FaultHandler;
import io.leveret.node.runtime.NodeClock;
import io.leveret.node.runtime.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal in a folder of its own.
 *
 * <p>Threads: <b>writer</b> (groups and fsyncs, {@link WriteAheadLog}), <b>reader</b> ({@link JournalReader}), <b>background</b>
 * (release, {@link Background}). Each is a loop of steps behind a doorbell; in tests the steps are called one by one.
 *
 * <p>States: new → {@link #recover} → open → closed. A failed fsync, or a failed write that is not for want of space, is
 * fatal. Without space the group stays and is tried again, nothing of it is promised, and the journal is congested.
 */
public final class FileJournal implements Journal {
    private static final Logger LOG = LoggerFactory.getLogger(FileJournal.class);
    private static final byte[] NOTHING = {};
    private static final int OPEN_FILES_MAX = 128;
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final FileStorage storage;
    private final JournalSettings settings;
    private final FaultHandler faults;
    private final AppendBuffer buffer;
    private final GroupCounters counters;
    private final WriteAheadLog log;
    private final Background background;
    private final JournalReader reader;
    private final List<LongConsumer> durableListeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> relievedListeners = new CopyOnWriteArrayList<>();

    private @Nullable Worker writerThread;
    private @Nullable Worker readerThread;
    private @Nullable Worker backgroundThread;
    private boolean isThreaded;
    private boolean isOpen;
    private volatile boolean isCommitWanted;
    /** The writer has nothing to do and waits for a ring. */
    private volatile boolean isAsleep;

    private final AtomicBoolean isCongested = new AtomicBoolean();
    private volatile boolean isDiskFull;
    private volatile boolean isBackgroundShort;
    private volatile boolean isFailed;
    /** Of the writing thread: all below is to be written without waiting. */
    private long commitTarget;

    private boolean hasWaited;

    FileJournal(FileStorage storage, JournalSettings settings, NodeClock clock, FaultHandler faults) {
        this.storage = storage;
        this.settings = settings;
        this.faults = faults;
        buffer = new AppendBuffer(settings);
        counters = new GroupCounters(clock);
        log = new WriteAheadLog(storage, buffer, settings, counters);
        background = new Background(storage, log, buffer, settings, clock, new Around());
        reader = new JournalReader(buffer, background::find);
    }

    /** Opens the journal of a folder, which is created if need be; {@link #recover} comes next. */
    public static FileJournal open(Path folder, JournalSettings settings, NodeClock clock, FaultHandler faults)
            throws IOException {
        FileJournal journal = new FileJournal(new DiskStorage(folder, OPEN_FILES_MAX), settings, clock, faults);
        journal.isThreaded = true;
        return journal;
    }

    @Override
    public RecoveryReport recover(RecoveryVisitor visitor) {
        RecoveryReport report;
        try {
            report = background.recover(visitor);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the journal", e);
        }
        isOpen = true;
        if (isThreaded) {
            writerThread = Worker.start("journal-writer", this::writeStep, faults);
            readerThread = Worker.start("journal-reader", this::readStep, faults);
            backgroundThread = Worker.start("journal-background", this::backgroundStep, faults);
        }
        return report;
    }

    // ---- the writing thread

    /** One group, if one is due; returns how long to wait. */
    long writeStep() {
        if (isFailed) {
            return Worker.UNTIL_RUNG;
        }
        isAsleep = false;
        if (isCommitWanted) {
            isCommitWanted = false;
            commitTarget = buffer.end();
        }
        boolean isDue =
                log.hasGroup() || log.durable() < commitTarget || buffer.isPieceFull() || (hasWaited && hasWork());
        if (isDue) {
            hasWaited = false;
            return writeGroup();
        }
        updateCongestion();
        if (hasWork()) {
            hasWaited = true;
            return settings.lazyNanos();
        }
        hasWaited = false;
        isAsleep = true;
        // An append between the two lines has seen that the writer sleeps, or is seen here.
        return hasWork() ? 0 : Worker.UNTIL_RUNG;
    }

    private boolean hasWork() {
        return buffer.waitingBytes() > 0;
    }

    private long writeGroup() {
        try {
            if (!log.writeGroup()) {
                commitTarget = log.durable();
                return 0;
            }
        } catch (IOException e) {
            return retryOrFail("writing the log", e);
        } catch (FsyncFailedException e) {
            return fail(e.getMessage(), e);
        }
        isDiskFull = false;
        long durable = log.durable();
        for (LongConsumer listener : durableListeners) {
            listener.accept(durable);
        }
        updateCongestion();
        ring(backgroundThread, log.files().size() > settings.logFilesMax());
        return 0;
    }

    private void updateCongestion() {
        long bound = isCongested.get() ? settings.bufferBytesMax() / 2 : settings.bufferBytesMax();
        boolean isNow = isDiskFull || background.isOverfull() || buffer.waitingBytes() > bound;
        if (isNow) {
            isCongested.set(true);
        } else if (isCongested.getAndSet(false)) {
            // One step: whoever an append told of congestion just now hears of its end, too.
            relievedListeners.forEach(Runnable::run);
        }
    }

    private long retryOrFail(String what, IOException e) {
        if (!DiskFull.is(e)) {
            return fail(what + " failed", e);
        }
        if (!isDiskFull) {
            LOG.error("{}: {}; nothing of it was promised, it is tried again", what, e.getMessage());
        }
        isDiskFull = true;
        isCongested.set(true);
        return RETRY_NANOS;
    }

    private long fail(@Nullable String what, Exception e) {
        isFailed = true;
        isCongested.set(true);
        faults.fatal("journal: " + what, e);
        return Worker.UNTIL_RUNG;
    }

    // ---- the other threads

    long readStep() {
        return reader.step() ? 0 : Worker.UNTIL_RUNG;
    }

    long backgroundStep() {
        if (isFailed) {
            return Worker.UNTIL_RUNG;
        }
        boolean wasOverfull = background.isOverfull();
        try {
            long wait = background.step();
            isBackgroundShort = false;
            ring(writerThread, wasOverfull != background.isOverfull());
            return wait;
        } catch (FsyncFailedException e) {
            return fail(e.getMessage(), e);
        } catch (IOException e) {
            if (!DiskFull.is(e)) {
                return fail("the background failed", e);
            }
            if (!isBackgroundShort) {
                LOG.error("releasing the log: {}; it is tried again, and the log grows", e.getMessage());
            }
            isBackgroundShort = true;
            return RETRY_NANOS;
        }
    }

    private static void ring(@Nullable Worker worker, boolean isNeeded) {
        if (worker != null && isNeeded) {
            worker.ring();
        }
    }

    private final class Around implements Background.Outside {
        @Override
        public void ringBackground() {
            ring(backgroundThread, true);
        }

        @Override
        public void commit() {
            FileJournal.this.commit();
        }

        @Override
        public void fence(Runnable task) {
            reader.fence(task);
            ring(readerThread, true);
        }

        @Override
        public void drop(long stream) {
            FileJournal.this.drop(stream);
        }
    }

    // ---- the port

    @Override
    public void setReleaseOwner(ReleaseOwner owner) {
        background.setOwner(owner);
        ring(backgroundThread, true);
    }

    @Override
    public long append(long stream, int type, int metaBytes, ByteBuffer head, byte[] second, byte[] third) {
        if (type < 1 || type > TYPE_MAX) {
            throw new IllegalArgumentException("record type " + type);
        }
        long position = buffer.append(stream, type, metaBytes, head, second, third);
        appended();
        return position;
    }

    @Override
    public long append(long stream, int type, int metaBytes, ByteBuffer payload) {
        return append(stream, type, metaBytes, payload, NOTHING, NOTHING);
    }

    private void appended() {
        // Before the ring: the writer's next look must come after this, or nobody would clear it.
        if (!isCongested.get() && buffer.waitingBytes() > settings.bufferBytesMax()) {
            isCongested.set(true);
        }
        if (isAsleep || buffer.isPieceFull()) {
            ring(writerThread, true);
        }
    }

    @Override
    public void commit() {
        isCommitWanted = true;
        ring(writerThread, true);
    }

    @Override
    public long durablePosition() {
        return log.durable();
    }

    @Override
    public void addDurableListener(LongConsumer listener) {
        durableListeners.add(listener);
    }

    @Override
    public boolean isCongested() {
        return isCongested.get();
    }

    @Override
    public void addRelievedListener(Runnable listener) {
        relievedListeners.add(listener);
    }

    @Override
    public void read(long stream, long[] positions, ReadCallback callback) {
        reader.read(stream, positions, callback);
        ring(readerThread, true);
    }

    @Override
    public void discard(long stream, long position) {
        if (Positions.isInSegment(position)) {
            background.discard(stream, position);
        }
    }

    @Override
    public void drop(long stream) {
        buffer.append(stream, RecordFraming.DROP, 0, ByteBuffer.allocate(0), NOTHING, NOTHING);
        appended();
    }

    /** Where the log ends, for tests. */
    long end() {
        return buffer.end();
    }

    @Override
    public JournalStatistics statistics() {
        return new JournalStatistics(
                buffer.records(),
                buffer.bytes(),
                counters.groups(),
                counters.bytes(),
                counters.fsyncs(),
                counters.nanos(),
                counters.micros(),
                reader.records(),
                background.copiedBytes(),
                background.releasedFiles(),
                buffer.waitingBytes(),
                log.files().size(),
                background.segments().count(),
                background.segments().bytes(),
                isCongested.get(),
                isDiskFull || isBackgroundShort);
    }

    @Override
    public void close() {
        stop(backgroundThread);
        stop(readerThread);
        stop(writerThread);
        if (isOpen && !isFailed) {
            writeRest();
        }
        storage.close();
    }

    private static void stop(@Nullable Worker worker) {
        if (worker != null) {
            worker.close();
        }
    }

    /** The last mark tells the next start that all before it was durable. */
    private void writeRest() {
        try {
            boolean isMore = true;
            while (isMore) {
                isMore = log.writeGroup();
            }
            buffer.mark();
            log.writeGroup();
        } catch (IOException e) {
            LOG.error("could not write the rest of the log; nothing of it was promised", e);
        } catch (FsyncFailedException e) {
            fail(e.getMessage(), e);
        }
    }
}
