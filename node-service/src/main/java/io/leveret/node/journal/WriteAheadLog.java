package io.leveret.node.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The young generation on disk. Owned by the writing thread, which repeats: take what has arrived, write it, fsync once, tell.
 * While it syncs, the next group gathers.
 *
 * <p>A group is written in order: all of an older file is forced before a newer one is written, so what a crash leaves is a
 * prefix up to the last force, and any pages of the group after it. Each piece begins with a mark saying what was durable;
 * that tells damage (below a mark) from a torn tail.
 */
final class WriteAheadLog {
    /** A stream was dropped by the record at this position. */
    record Drop(long stream, long position) {}

    private final FileStorage storage;
    private final AppendBuffer buffer;
    private final ConcurrentSkipListMap<Long, WalFile> files = new ConcurrentSkipListMap<>();
    private final ConcurrentLinkedQueue<LogFile> spares = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Drop> drops = new ConcurrentLinkedQueue<>();
    private final GroupCounters counters;
    private final int groupBytesMax;

    private @Nullable WalFile current;
    /** The next file, while it is prepared; kept when that has to be tried again. */
    private @Nullable LogFile beginning;

    private List<Chunk> group = List.of();
    private int groupWritten;
    private volatile long durable;

    WriteAheadLog(FileStorage storage, AppendBuffer buffer, JournalSettings settings, GroupCounters counters) {
        this.storage = storage;
        this.buffer = buffer;
        this.groupBytesMax = settings.groupBytesMax();
        this.counters = counters;
    }

    /** Puts the files that a recovery found in place, and begins a new one behind them. */
    void start(List<WalFile> found, long sequence, long recoveredEnd) throws IOException {
        found.forEach(each -> files.put(each.sequence, each));
        durable = recoveredEnd;
        try {
            begin(sequence, recoveredEnd, recoveredEnd);
        } catch (FsyncFailedException e) {
            throw new IOException(e);
        }
        durable = Positions.inLog(sequence, LogFileHeader.BYTES);
        buffer.start(sequence, recoveredEnd);
    }

    /** Files, oldest first; also the one being written. */
    ConcurrentSkipListMap<Long, WalFile> files() {
        return files;
    }

    ConcurrentLinkedQueue<LogFile> spares() {
        return spares;
    }

    /** Drops in the order of the log, for the background; each is here before its file is complete. */
    ConcurrentLinkedQueue<Drop> drops() {
        return drops;
    }

    /** Whether a group is left from a failed attempt. */
    boolean hasGroup() {
        return !group.isEmpty();
    }

    long durable() {
        return durable;
    }

    /**
     * Writes and syncs one group; false when there was nothing. After an exception the same group is tried again by the next
     * call: nothing of it has been promised.
     */
    boolean writeGroup() throws IOException, FsyncFailedException {
        if (group.isEmpty()) {
            group = buffer.take(groupBytesMax);
            groupWritten = 0;
        }
        if (group.isEmpty()) {
            return false;
        }
        long bytes = 0;
        while (groupWritten < group.size()) {
            Chunk chunk = group.get(groupWritten);
            bytes += chunk.used;
            write(chunk);
            groupWritten++;
        }
        long end = group.get(group.size() - 1).end();
        buffer.written();
        WalFile file = current;
        if (file != null) {
            force(file.file);
        }
        group = List.of();
        durable = end;
        counters.group(bytes);
        return true;
    }

    private void write(Chunk chunk) throws IOException, FsyncFailedException {
        WalFile file = current;
        long sequence = Positions.file(chunk.position);
        if (file == null || file.sequence != sequence) {
            if (file != null) {
                complete(file);
            }
            file = begin(sequence, chunk.previousEnd, durable);
        }
        ByteBuffer bytes = chunk.bytes.duplicate();
        if (!chunk.isSealed) {
            seal(chunk, bytes, file.streams);
            chunk.isSealed = true;
        }
        file.file.write(bytes.limit(chunk.used).position(0), Positions.offset(chunk.position));
        file.end = chunk.end();
    }

    private void seal(Chunk chunk, ByteBuffer bytes, StreamTable streams) {
        bytes.putLong(RecordFraming.HEADER_BYTES, durable);
        int at = 0;
        while (at < chunk.used) {
            long position = chunk.position + at;
            int size = RecordFraming.aligned(RecordFraming.length(bytes, at));
            int type = RecordFraming.type(bytes, at);
            if (type <= Journal.TYPE_MAX) {
                streams.add(RecordFraming.stream(bytes, at), position);
            } else if (type == RecordFraming.DROP) {
                streams.add(RecordFraming.stream(bytes, at), Journal.NOWHERE);
                drops.add(new Drop(RecordFraming.stream(bytes, at), position));
            }
            bytes.clear();
            RecordFraming.seal(bytes, at, position);
            bytes.clear();
            at += size;
        }
    }

    /** Adds the footer, which tells a later recovery whose records a damaged stretch of this file held. */
    private void complete(WalFile file) throws IOException, FsyncFailedException {
        LogFooter.write(file);
        force(file.file);
        file.isComplete = true;
    }

    /** The header is forced before anything follows it: records behind an unreadable header are damage, then. */
    private WalFile begin(long sequence, long previousEnd, long durableNow) throws IOException, FsyncFailedException {
        LogFile next = beginning;
        if (next == null) {
            LogFile spare = spares.poll();
            next = spare == null ? storage.open(WalFile.name(sequence)) : spare;
            beginning = next;
        }
        if (!next.name().equals(WalFile.name(sequence))) {
            next.renameTo(WalFile.name(sequence));
        }
        storage.syncFolder();
        new LogFileHeader(LogFileHeader.LOG, sequence, previousEnd, durableNow).write(next);
        force(next);
        WalFile file = new WalFile(sequence, next, new StreamTable());
        files.put(sequence, file);
        current = file;
        beginning = null;
        return file;
    }

    private void force(LogFile file) throws FsyncFailedException {
        long start = counters.now();
        try {
            file.force();
        } catch (IOException e) {
            throw new FsyncFailedException(file.name(), e);
        }
        counters.fsynced(counters.now() - start);
    }

    /** The sizes of the log, for the background and for people. */
    int completeFiles() {
        int count = 0;
        for (Map.Entry<Long, WalFile> each : files.entrySet()) {
            if (each.getValue().isComplete) {
                count++;
            }
        }
        return count;
    }
}
