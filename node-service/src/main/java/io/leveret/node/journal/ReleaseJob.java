package io.leveret.node.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Releases one file: the oldest of the log, or a sparse segment. Steps of the background thread:
 *
 * <pre>
 * ASKING   ask each stream's owner, some at a time; copy what is live; note the checkpoint
 * SYNCING  wait until the log is durable up to the youngest checkpoint; fsync copies; commit the manifest
 * MOVING   tell the owners the new positions; wait for each
 * FENCE    let the reads asked for before be answered
 * DONE     the file may be used again
 * </pre>
 *
 * <p>A crash before the manifest's commit leaves all as it was (the copies do not count); after it, all as it will be. Bound:
 * owners asked at a time, and the positions of one file's records.
 */
final class ReleaseJob {
    enum Phase {
        ASKING,
        SYNCING,
        MOVING,
        FENCE,
        DONE
    }

    private static final int ASKED_MAX = 32;
    private static final int SLICE_BYTES = 1 << 20;

    private record Answer(long stream, long[] live, byte @Nullable [] checkpoint, long through) {}

    private record Moved(long stream, long[] from, long[] to) {}

    /** What the job needs of the background. */
    interface Surroundings {
        long endOfLog();

        long durable();

        Map<Long, Long> drops();

        void ring();

        void drop(long stream);
    }

    final @Nullable WalFile walFile;
    final @Nullable Segment segment;
    private final long from;
    private final long until;
    private final LogFile source;
    private final long[] streams;
    private final long stamp;
    private final ReleaseOwner owner;
    private final Surroundings around;
    private final SegmentStore segments;
    private final Manifest manifest;
    private final FileWindow window;
    private final ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Long> settled = new ConcurrentLinkedQueue<>();
    private final Set<Long> outstanding = new HashSet<>();
    /** What this job's checkpoints cover. */
    private final Map<Long, Long> checkpointed = new HashMap<>();

    private final Set<Long> droppedMeanwhile = new HashSet<>();
    private final List<Moved> moves = new ArrayList<>();
    private Phase phase = Phase.ASKING;
    private int asked;
    private int told;
    private long throughMax;
    private long copiedBytes;
    private @Nullable Answer copying;
    private long[] copies = {};
    private int copied;

    private ReleaseJob(
            @Nullable WalFile walFile,
            @Nullable Segment segment,
            long from,
            long until,
            LogFile source,
            long[] streams,
            ReleaseOwner owner,
            Surroundings around,
            SegmentStore segments,
            Manifest manifest,
            FileWindow window) {
        this.walFile = walFile;
        this.segment = segment;
        this.from = from;
        this.until = until;
        this.source = source;
        this.streams = streams;
        this.owner = owner;
        this.around = around;
        this.segments = segments;
        this.manifest = manifest;
        this.window = window;
        this.stamp = around.endOfLog();
        window.reset();
        segments.beginCopies(stamp);
    }

    /** The job for a complete log file. */
    static ReleaseJob of(
            WalFile file,
            ReleaseOwner owner,
            Surroundings around,
            SegmentStore segments,
            Manifest manifest,
            FileWindow window) {
        long[] streams = Arrays.stream(file.streams.streams())
                .filter(each -> file.streams.last(each) > around.drops().getOrDefault(each, 0L))
                .toArray();
        return new ReleaseJob(
                file, null, file.start(), file.end, file.file, streams, owner, around, segments, manifest, window);
    }

    /** The job for a sparse segment. */
    static ReleaseJob of(
            Segment segment,
            ReleaseOwner owner,
            Surroundings around,
            SegmentStore segments,
            Manifest manifest,
            FileWindow window) {
        long[] streams = Arrays.stream(segment.streams())
                .filter(each -> {
                    Manifest.Checkpoint checkpoint = manifest.checkpoint(each);
                    return checkpoint != null
                            && checkpoint.through() > around.drops().getOrDefault(each, 0L);
                })
                .toArray();
        return new ReleaseJob(
                null,
                segment,
                Positions.inSegment(segment.number, LogFileHeader.BYTES),
                Positions.inSegment(segment.number, segment.data.end()),
                segment.data.file(),
                streams,
                owner,
                around,
                segments,
                manifest,
                window);
    }

    Phase phase() {
        return phase;
    }

    long stamp() {
        return stamp;
    }

    long copiedBytes() {
        return copiedBytes;
    }

    /** One of the streams was dropped: nobody answers for it any more. */
    void dropped(long stream) {
        outstanding.remove(stream);
    }

    // ---- ASKING

    /** Asks, and copies a slice; returns how many bytes were copied, -1 when there is nothing to do but wait. */
    long ask() throws IOException, FsyncFailedException {
        while (asked < streams.length && outstanding.size() < ASKED_MAX) {
            long stream = streams[asked++];
            if (!around.drops().containsKey(stream) || isAlive(stream)) {
                outstanding.add(stream);
                owner.release(new Question(stream));
            }
        }
        if (copying == null) {
            begin();
        }
        Answer answer = copying;
        if (answer == null) {
            if (outstanding.isEmpty() && asked == streams.length && answers.isEmpty()) {
                phase = Phase.SYNCING;
                return 0;
            }
            return -1;
        }
        return copy(answer);
    }

    private boolean isAlive(long stream) {
        long droppedAt = around.drops().getOrDefault(stream, 0L);
        WalFile file = walFile;
        if (file != null) {
            return file.streams.last(stream) > droppedAt;
        }
        Manifest.Checkpoint checkpoint = manifest.checkpoint(stream);
        return checkpoint != null && checkpoint.through() > droppedAt;
    }

    private void begin() {
        Answer answer = answers.poll();
        if (answer == null) {
            return;
        }
        outstanding.remove(answer.stream);
        boolean isDropped = answer.through <= around.drops().getOrDefault(answer.stream, 0L);
        if (answer.checkpoint == null || isDropped) {
            return;
        }
        Arrays.sort(answer.live);
        copying = answer;
        copies = new long[answer.live.length];
        copied = 0;
    }

    private long copy(Answer answer) throws IOException, FsyncFailedException {
        long bytes = 0;
        while (copied < answer.live.length && bytes < SLICE_BYTES) {
            long position = answer.live[copied];
            if (position < from || position >= until) {
                throw new IllegalArgumentException(
                        "stream " + answer.stream + " gave position " + position + ", not in the range asked for");
            }
            ByteBuffer payload = window.record(source, position);
            if (payload == null || window.stream() != answer.stream) {
                copies[copied] = Journal.NOWHERE;
            } else {
                bytes += window.size();
                copies[copied] = segments.copy(answer.stream, window.type(), window.metaBytes(), payload);
            }
            copied++;
        }
        copiedBytes += bytes;
        if (copied == answer.live.length) {
            finish(answer);
        }
        return bytes;
    }

    private void finish(Answer answer) throws IOException, FsyncFailedException {
        Manifest.Checkpoint before = manifest.checkpoint(answer.stream);
        long droppedAt = around.drops().getOrDefault(answer.stream, 0L);
        boolean isFirst = before == null || before.through() <= droppedAt;
        long since = before == null || isFirst ? stamp : before.since();
        byte[] checkpoint = answer.checkpoint;
        if (checkpoint != null) {
            manifest.addCheckpoint(answer.stream, answer.through, since, checkpoint);
            checkpointed.put(answer.stream, answer.through);
        }
        throughMax = Math.max(throughMax, answer.through);
        if (copies.length > 0) {
            moves.add(new Moved(answer.stream, answer.live, copies));
        }
        copying = null;
        copies = new long[0];
    }

    // ---- SYNCING

    /** Whether all that the manifest will rely on is on disk: what the checkpoints cover, and the drops. */
    boolean isLogDurable() {
        long needed = throughMax;
        for (long position : around.drops().values()) {
            needed = Math.max(needed, position + 1);
        }
        return around.durable() >= needed;
    }

    /** Adds the drops to the manifest's batch. */
    void addDrops() throws IOException, FsyncFailedException {
        for (Map.Entry<Long, Long> drop : around.drops().entrySet()) {
            long stream = drop.getKey();
            long position = drop.getValue();
            if (manifest.dropped(stream) != position) {
                manifest.addDrop(stream, position);
            }
            if (checkpointed.getOrDefault(stream, Long.MAX_VALUE) <= position) {
                droppedMeanwhile.add(stream);
            }
        }
    }

    /** The manifest has committed. */
    void committed() {
        segments.committed();
        segments.drop(droppedMeanwhile);
        phase = Phase.MOVING;
    }

    // ---- MOVING

    /** Tells the owners; true when all of them have followed. */
    boolean move() {
        for (Long stream = settled.poll(); stream != null; stream = settled.poll()) {
            outstanding.remove(stream);
        }
        while (told < moves.size() && outstanding.size() < ASKED_MAX) {
            Moved next = moves.get(told++);
            if (isAliveAfter(next.stream)) {
                outstanding.add(next.stream);
                AtomicBoolean isDone = new AtomicBoolean();
                owner.moved(next.stream, next.from, next.to, () -> {
                    if (isDone.compareAndSet(false, true)) {
                        settled.add(next.stream);
                        around.ring();
                    }
                });
            }
        }
        return told == moves.size() && outstanding.isEmpty();
    }

    private boolean isAliveAfter(long stream) {
        Manifest.Checkpoint checkpoint = manifest.checkpoint(stream);
        return checkpoint != null && checkpoint.through() > around.drops().getOrDefault(stream, 0L);
    }

    void enter(Phase next) {
        phase = next;
    }

    private final class Question implements Release {
        private final long stream;
        private final AtomicBoolean isAnswered = new AtomicBoolean();

        Question(long stream) {
            this.stream = stream;
        }

        @Override
        public long stream() {
            return stream;
        }

        @Override
        public long from() {
            return from;
        }

        @Override
        public long until() {
            return until;
        }

        @Override
        public void answer(long[] livePositions, byte[] checkpoint) {
            give(new Answer(stream, livePositions, checkpoint, around.endOfLog()));
        }

        @Override
        public void forget() {
            // Here and not on the background thread: what the owner appends next is a new stream.
            around.drop(stream);
            give(new Answer(stream, new long[0], null, around.endOfLog()));
        }

        private void give(Answer answer) {
            if (!isAnswered.compareAndSet(false, true)) {
                throw new IllegalStateException("stream " + stream + " has been answered for");
            }
            answers.add(answer);
            around.ring();
        }
    }
}
