package io.leveret.node.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What of the old generation counts: the last checkpoint of each stream, how far each segment is filled, which log files are
 * released. A log of its own, in batches that end with a commit: one fsync per released file, however many streams it had.
 * Owned by the background thread. When most of it is out of date it is written anew under the next number (temporary file,
 * fsync, rename, fsync of the folder).
 *
 * <p>In memory: one small entry per stream and segment; the checkpoints' bytes stay in the file.
 */
final class Manifest {
    /**
     * @param through records of the stream below this position are in the state
     * @param since copies in segments with an older stamp belong to an earlier, dropped stream of this number
     */
    record Checkpoint(long through, long since, int offset, int bytes, int crc) {
        Checkpoint at(int newOffset) {
            return new Checkpoint(through, since, newOffset, bytes, crc);
        }
    }

    /** How far the files of a segment are filled with what counts. */
    record Extent(long number, int dataEnd, int indexEnd) {}

    private static final String PREFIX = "manifest-";
    private static final String TEMPORARY = ".tmp";
    private static final int COMMIT_LENGTH = RecordFraming.HEADER_BYTES + 2 * Long.BYTES;
    private static final int COMPACT_ABOVE_BYTES = 1 << 20;

    private final FileStorage storage;
    private final Map<Long, Checkpoint> checkpoints = new HashMap<>();
    /** Of streams dropped at positions of the log that are not released. */
    private final Map<Long, Long> drops = new HashMap<>();

    private final TreeMap<Long, Extent> segments = new TreeMap<>();
    private final List<Runnable> uncommitted = new ArrayList<>();
    private @Nullable FileAppender appender;
    private long number;
    private long batches;
    private long released;
    private long liveBytes;
    private boolean isCommitAdded;
    /** A part of it was unreadable: the next release writes it anew, when the owners have heard of it. */
    private boolean isDamaged;

    Manifest(FileStorage storage) {
        this.storage = storage;
    }

    @Nullable
    Checkpoint checkpoint(long stream) {
        return checkpoints.get(stream);
    }

    Iterable<Extent> segments() {
        return segments.values();
    }

    /** Log files up to this sequence are no longer needed. */
    long released() {
        return released;
    }

    // ---- adding a batch

    void addCheckpoint(long stream, long through, long since, byte[] state) throws IOException, FsyncFailedException {
        CRC32C crc = new CRC32C();
        crc.update(state);
        Checkpoint entry = new Checkpoint(through, since, 0, state.length, (int) crc.getValue());
        FileAppender target = appender();
        Checkpoint placed = put(target, stream, entry, state);
        uncommitted.add(() -> replace(stream, placed));
    }

    /**
     * The stream was dropped at a position. Remembered until the log is released up to there: its older records, without
     * those that are released, must not be taken for a stream.
     */
    void addDrop(long stream, long position) throws IOException, FsyncFailedException {
        put(appender(), stream, position);
        uncommitted.add(() -> drop(stream, position));
    }

    /** Where the stream was last dropped as far as the manifest remembers, or {@link Journal#NOWHERE}. */
    long dropped(long stream) {
        return drops.getOrDefault(stream, Journal.NOWHERE);
    }

    private void drop(long stream, long position) {
        drops.put(stream, position);
        Checkpoint entry = checkpoints.get(stream);
        if (entry != null && entry.through <= position) {
            replace(stream, null);
        }
    }

    void addSegment(Extent extent) throws IOException, FsyncFailedException {
        put(appender(), extent);
        uncommitted.add(() -> segments.put(extent.number, extent));
    }

    void addSegmentGone(long gone) throws IOException, FsyncFailedException {
        put(appender(), new Extent(gone, 0, 0));
        uncommitted.add(() -> segments.remove(gone));
    }

    /**
     * Makes the batch count; durable when this returns. The batch is forced before its commit is written: what is unreadable
     * before a commit is damage, then, and what is unreadable behind the last one is a torn tail.
     */
    void commit(long releasedThrough) throws IOException, FsyncFailedException {
        FileAppender target = appender();
        if (!isCommitAdded) {
            target.force();
            putCommit(target, releasedThrough);
            isCommitAdded = true;
        }
        target.force();
        isCommitAdded = false;
        uncommitted.forEach(Runnable::run);
        uncommitted.clear();
        release(releasedThrough);
    }

    private void release(long releasedThrough) {
        released = releasedThrough;
        drops.values().removeIf(position -> Positions.file(position) <= releasedThrough);
    }

    /** Writes the manifest anew when most of it is out of date. Between batches; may be tried again after a failure. */
    void compactIfDue() throws IOException, FsyncFailedException {
        FileAppender target = appender;
        if (target != null && (isDamaged || target.end() > COMPACT_ABOVE_BYTES + 2 * liveBytes)) {
            rewrite(target.file());
            isDamaged = false;
        }
    }

    private void replace(long stream, @Nullable Checkpoint entry) {
        Checkpoint old = entry == null ? checkpoints.remove(stream) : checkpoints.put(stream, entry);
        liveBytes += (entry == null ? 0 : entry.bytes) - (old == null ? 0 : old.bytes);
    }

    private static Checkpoint put(FileAppender target, long stream, Checkpoint entry, byte[] state) {
        ByteBuffer head = ByteBuffer.allocate(24);
        head.putLong(entry.through).putLong(entry.since);
        head.putInt(entry.bytes).putInt(entry.crc);
        target.add(stream, RecordFraming.CHECKPOINT, 0, head.flip());
        int offset = target.end();
        target.addBytes(state);
        return entry.at(offset);
    }

    private static void put(FileAppender target, long stream, long droppedAt) {
        target.add(
                stream, RecordFraming.DROP, 0, ByteBuffer.allocate(Long.BYTES).putLong(0, droppedAt));
    }

    private static void put(FileAppender target, Extent extent) {
        ByteBuffer payload = ByteBuffer.allocate(16);
        payload.putLong(extent.number).putInt(extent.dataEnd).putInt(extent.indexEnd);
        target.add(0, RecordFraming.SEGMENT, 0, payload.flip());
    }

    private void putCommit(FileAppender target, long releasedThrough) {
        batches++;
        ByteBuffer payload = ByteBuffer.allocate(16).putLong(batches).putLong(releasedThrough);
        target.add(0, RecordFraming.COMMIT, 0, payload.flip());
    }

    /** With room for more: a checkpoint may be large, and must not be copied to make room for what follows it. */
    private FileAppender appender() throws IOException, FsyncFailedException {
        FileAppender target = appender;
        if (target == null) {
            target = begin(1);
            putCommit(target, 0);
            target.force();
            target.file().renameTo(name(1));
            number = 1;
            storage.syncFolder();
            appender = target;
        } else if (target.isFlushDue()) {
            target.flush();
        }
        return target;
    }

    private FileAppender begin(long newNumber) throws IOException {
        LogFile file = storage.open(name(newNumber) + TEMPORARY);
        file.truncate(0);
        new LogFileHeader(LogFileHeader.MANIFEST, newNumber, 0, 0).write(file);
        return new FileAppender(file, Positions.inLog(newNumber, 0), LogFileHeader.BYTES);
    }

    private void rewrite(LogFile old) throws IOException, FsyncFailedException {
        // The number counts when its file does: what fails before, as for want of space, uses the same file again.
        long next = number + 1;
        FileAppender target = begin(next);
        Map<Long, Checkpoint> placed = new HashMap<>();
        for (Map.Entry<Long, Checkpoint> each : checkpoints.entrySet()) {
            // A damaged one stays damaged: its CRC is kept.
            placed.put(each.getKey(), put(target, each.getKey(), each.getValue(), state(old, each.getValue())));
            if (target.isFlushDue()) {
                target.flush();
            }
        }
        drops.forEach((stream, position) -> put(target, stream, position));
        segments.values().forEach(each -> put(target, each));
        putCommit(target, released);
        target.force();
        target.file().renameTo(name(next));
        number = next;
        // A failure ends the node: it must not go on in the old file, which a restart would not read.
        storage.syncFolder();
        appender = target;
        checkpoints.putAll(placed);
        old.delete();
    }

    private static byte[] state(LogFile file, Checkpoint entry) throws IOException {
        byte[] state = new byte[entry.bytes];
        file.read(ByteBuffer.wrap(state), entry.offset);
        return state;
    }

    private static String name(long number) {
        return String.format(PREFIX + "%016x", number);
    }

    // ---- recovery

    /** Reads the newest manifest and shows the checkpoints. */
    void recover(RecoveryStreams streams, FileWindow window) throws IOException {
        List<String> names =
                storage.list().stream().filter(each -> each.startsWith(PREFIX)).toList();
        String newest = null;
        for (String name : names) {
            if (name.endsWith(TEMPORARY)) {
                storage.open(name).delete();
            } else {
                if (newest != null) {
                    storage.open(newest).delete();
                }
                newest = name;
            }
        }
        if (newest == null) {
            return;
        }
        LogFile file = storage.open(newest);
        number = Long.parseLong(newest.substring(PREFIX.length()), 16);
        if (LogFileHeader.read(file, LogFileHeader.MANIFEST) == null) {
            streams.damageAll("the header of " + newest + " is damaged");
            isDamaged = true;
        }
        int end = scan(file, streams, window);
        file.truncate(end);
        file.force();
        appender = new FileAppender(file, Positions.inLog(number, 0), end);
        drops.forEach(streams::droppedBefore);
        for (Map.Entry<Long, Checkpoint> each : checkpoints.entrySet()) {
            show(file, each.getKey(), each.getValue(), streams);
        }
    }

    private void show(LogFile file, long stream, Checkpoint entry, RecoveryStreams streams) throws IOException {
        byte[] state = state(file, entry);
        CRC32C crc = new CRC32C();
        crc.update(state);
        if ((int) crc.getValue() != entry.crc) {
            streams.damage(stream, entry.through, "its checkpoint is damaged");
        }
        streams.checkpoint(stream, entry, ByteBuffer.wrap(state));
    }

    /** Applies the batches, and returns where the last one ends. */
    private int scan(LogFile file, RecoveryStreams streams, FileWindow window) throws IOException {
        int size = (int) file.size();
        int offset = LogFileHeader.BYTES;
        int end = offset;
        while (offset < size) {
            ByteBuffer payload = window.record(file, Positions.inLog(number, offset));
            if (payload == null) {
                offset = window.find(file, Positions.inLog(number, offset), size, RecordFraming.COMMIT, COMMIT_LENGTH);
                if (offset < 0) {
                    break;
                }
                streams.damageAll(file.name() + " is damaged");
                isDamaged = true;
                continue;
            }
            int type = window.type();
            long stream = window.stream();
            offset += window.size();
            if (type == RecordFraming.CHECKPOINT) {
                Checkpoint entry = checkpoint(payload, offset);
                uncommitted.add(() -> replace(stream, entry));
                offset += RecordFraming.aligned(entry.bytes);
            } else if (type == RecordFraming.DROP) {
                long position = payload.getLong();
                uncommitted.add(() -> drop(stream, position));
            } else if (type == RecordFraming.SEGMENT) {
                Extent extent = new Extent(payload.getLong(), payload.getInt(), payload.getInt());
                uncommitted.add(() -> place(extent));
            } else if (type == RecordFraming.COMMIT) {
                batches = payload.getLong();
                uncommitted.forEach(Runnable::run);
                release(payload.getLong());
                uncommitted.clear();
                end = offset;
            }
        }
        uncommitted.clear();
        return end;
    }

    private void place(Extent extent) {
        if (extent.dataEnd == 0) {
            segments.remove(extent.number);
        } else {
            segments.put(extent.number, extent);
        }
    }

    private static Checkpoint checkpoint(ByteBuffer head, int offset) {
        return new Checkpoint(head.getLong(), head.getLong(), offset, head.getInt(), head.getInt());
    }
}
