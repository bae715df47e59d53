package io.leveret.node.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The old generation: segments, of which the last is being filled. A segment is shared by all streams, so that releasing a
 * log file costs one fsync of one segment however many streams had something in it. Owned by the background thread, which
 * alone writes; finding and discarding are for any.
 *
 * <p>Copies count only when the manifest says so: {@link #force} first, then the extents, then the manifest's commit.
 */
final class SegmentStore {
    private static final int ENTRY_BYTES = Integer.BYTES + Integer.BYTES + 1;
    private static final int ENTRIES_MAX = 4096;

    private final FileStorage storage;
    private final int segmentBytes;
    private final ConcurrentSkipListMap<Long, Segment> segments = new ConcurrentSkipListMap<>();
    /** Segments with copies that are not in the manifest yet, and the runs of the last of them. */
    private final List<Segment> filled = new ArrayList<>();

    private final List<Segment.Run> runs = new ArrayList<>();
    private final ByteBuffer entries = ByteBuffer.allocate(ENTRIES_MAX * (ENTRY_BYTES + Journal.META_BYTES_MAX));
    private long entriesStream;
    private int entriesMeta;
    private int entriesCount;
    private int entriesStart;
    private long stamp;
    private @Nullable Segment current;
    /** Never used twice within a run of the node: a position must not come to mean another record. */
    private long nextNumber = 1;

    SegmentStore(FileStorage storage, JournalSettings settings) {
        this.storage = storage;
        this.segmentBytes = settings.segmentBytes();
    }

    // ---- copying

    /** The copies that follow are stamped with the end of the log now. */
    void beginCopies(long endOfLog) {
        stamp = endOfLog;
    }

    /** Copies a record and returns its new position. After an exception nothing of it was added. */
    long copy(long stream, int type, int metaBytes, ByteBuffer payload) throws IOException, FsyncFailedException {
        Segment segment = segmentFor(RecordFraming.HEADER_BYTES + payload.remaining());
        if (segment.data.isFlushDue()) {
            segment.data.flush();
        }
        if (entriesCount > 0 && (entriesStream != stream || entriesMeta != metaBytes || entriesCount == ENTRIES_MAX)) {
            endRun(segment);
        }
        ByteBuffer meta = payload.duplicate();
        meta.limit(meta.position() + metaBytes);
        int length = RecordFraming.HEADER_BYTES + payload.remaining();
        int offset = segment.data.add(stream, type, metaBytes, payload);
        if (entriesCount == 0) {
            entriesStream = stream;
            entriesMeta = metaBytes;
            entriesStart = offset;
        }
        entries.putInt(offset).putInt(length).put((byte) type).put(meta);
        entriesCount++;
        return Positions.inSegment(segment.number, offset);
    }

    private void endRun(Segment segment) {
        if (entriesCount == 0) {
            return;
        }
        ByteBuffer payload = ByteBuffer.allocate(16 + entries.position());
        payload.putLong(stamp).putInt(entriesMeta).putInt(entriesCount);
        payload.put(entries.flip());
        segment.index.add(entriesStream, RecordFraming.INDEX, 0, payload.flip());
        runs.add(new Segment.Run(entriesStream, entriesStart, entriesCount));
        entries.clear();
        entriesCount = 0;
    }

    private Segment segmentFor(int length) throws IOException, FsyncFailedException {
        Segment segment = current;
        if (segment != null
                && segment.data.end() + length > segmentBytes
                && segment.data.end() > LogFileHeader.BYTES + RecordFraming.MARK_BYTES) {
            endRun(segment);
            publishRuns(segment);
            segment.close();
            current = null;
            segment = null;
        }
        if (segment == null) {
            segment = create();
            current = segment;
        }
        if (!filled.contains(segment)) {
            ByteBuffer mark = ByteBuffer.allocate(Long.BYTES).putLong(0, stamp);
            segment.data.add(0, RecordFraming.MARK, 0, mark);
            filled.add(segment);
        }
        return segment;
    }

    private Segment create() throws IOException, FsyncFailedException {
        long number = segments.isEmpty() ? nextNumber : Math.max(nextNumber, segments.lastKey() + 1);
        LogFile data = storage.open(Segment.dataName(number));
        LogFile index = storage.open(Segment.indexName(number));
        data.truncate(0);
        index.truncate(0);
        new LogFileHeader(LogFileHeader.SEGMENT, number, 0, 0).write(data);
        new LogFileHeader(LogFileHeader.INDEX, number, 0, 0).write(index);
        storage.syncFolder();
        nextNumber = number + 1;
        Segment segment =
                new Segment(number, data, index, new Manifest.Extent(number, LogFileHeader.BYTES, LogFileHeader.BYTES));
        segments.put(number, segment);
        return segment;
    }

    private void publishRuns(Segment segment) {
        int recorded = 0;
        for (Segment.Run run : runs) {
            recorded += run.count();
        }
        segment.add(runs.toArray(new Segment.Run[0]), recorded);
        runs.clear();
    }

    /** Makes all copies durable; returns the segments that have new ones. */
    List<Segment> force() throws IOException, FsyncFailedException {
        Segment last = current;
        if (last != null) {
            endRun(last);
            publishRuns(last);
        }
        for (Segment segment : filled) {
            segment.data.force();
            segment.index.force();
        }
        return List.copyOf(filled);
    }

    /** The manifest has the copies: the next ones are a new batch. */
    void committed() {
        filled.clear();
    }

    // ---- for any thread

    @Nullable
    LogFile find(long position) {
        Segment segment = segments.get(Positions.file(position));
        return segment == null ? null : segment.data.file();
    }

    void discard(long stream, long position) {
        Segment segment = segments.get(Positions.file(position));
        if (segment != null) {
            segment.discard(stream, Positions.offset(position));
        }
    }

    int count() {
        return segments.size();
    }

    long bytes() {
        long bytes = 0;
        for (Segment segment : segments.values()) {
            bytes += segment.data.end();
        }
        return bytes;
    }

    // ---- for the background

    void drop(Set<Long> streams) {
        segments.values().forEach(each -> each.drop(streams));
    }

    /** The segment that is most worth to be rewritten, or null. */
    @Nullable
    Segment sparsest() {
        Segment best = null;
        for (Segment segment : segments.values()) {
            if (segment.isSparse()
                    && (best == null || (long) segment.live() * best.total() < (long) best.live() * segment.total())) {
                best = segment;
            }
        }
        return best;
    }

    void delete(Segment segment) throws IOException {
        segments.remove(segment.number);
        segment.data.file().delete();
        segment.index.file().delete();
    }

    // ---- recovery

    /** Shows what the indexes hold, and deletes files that the manifest does not know. */
    void recover(Manifest manifest, RecoveryStreams streams, FileWindow window) throws IOException {
        for (Manifest.Extent extent : manifest.segments()) {
            Segment segment = new Segment(
                    extent.number(),
                    storage.open(Segment.dataName(extent.number())),
                    storage.open(Segment.indexName(extent.number())),
                    extent);
            SegmentRecovery recovery = new SegmentRecovery(segment, streams, window);
            segment.add(recovery.run(extent), recovery.recorded());
            segments.put(extent.number(), segment);
            // The last one goes on being filled.
            if (current != null) {
                current.close();
            }
            current = segment;
            nextNumber = extent.number() + 1;
        }
        for (String name : storage.list()) {
            int dash = name.indexOf('-');
            if ((name.startsWith("segment-") || name.startsWith("index-"))
                    && !segments.containsKey(Long.parseLong(name.substring(dash + 1), 16))) {
                storage.open(name).delete();
            }
        }
    }
}
