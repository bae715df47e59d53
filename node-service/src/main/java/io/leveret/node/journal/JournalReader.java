package io.leveret.node.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers reads in the order of asking, on the reading thread. That order is also the fence behind which a released file is
 * used again: all reads asked for before it are answered. Bound: the owners' windows of what they ask for.
 */
final class JournalReader {
    private static final Logger LOG = LoggerFactory.getLogger(JournalReader.class);

    /** Where the records of a position are. */
    @FunctionalInterface
    interface Files {
        @Nullable
        LogFile find(long position);
    }

    private record Job(
            long stream,
            long[] positions,
            @Nullable ReadCallback callback,
            @Nullable Runnable fence) {}

    private final AppendBuffer buffer;
    private final Files files;
    private final FileWindow window = new FileWindow();
    private final ConcurrentLinkedQueue<Job> jobs = new ConcurrentLinkedQueue<>();
    private final LongAdder records = new LongAdder();

    JournalReader(AppendBuffer buffer, Files files) {
        this.buffer = buffer;
        this.files = files;
    }

    void read(long stream, long[] positions, ReadCallback callback) {
        jobs.add(new Job(stream, positions, callback, null));
    }

    /** Runs the task on the reading thread after all reads asked for so far. */
    void fence(Runnable task) {
        jobs.add(new Job(0, new long[0], null, task));
    }

    /** Answers one read; false when there was none. */
    boolean step() {
        Job job = jobs.poll();
        if (job == null) {
            return false;
        }
        ReadCallback callback = job.callback;
        if (callback != null) {
            for (int i = 0; i < job.positions.length; i++) {
                answer(job, i, callback);
            }
            records.add(job.positions.length);
            callback.finished();
        }
        if (job.fence != null) {
            window.reset();
            job.fence.run();
        }
        return true;
    }

    private void answer(Job job, int index, ReadCallback callback) {
        long position = job.positions[index];
        ByteBuffer unwritten = buffer.unwritten(position);
        if (unwritten != null) {
            give(job.stream, index, unwritten, callback);
            return;
        }
        LogFile file = files.find(position);
        if (file == null) {
            callback.damaged(index, "no file holds position " + position);
            return;
        }
        try {
            ByteBuffer payload = window.record(file, position, ahead(job.positions, index));
            if (payload == null) {
                callback.damaged(index, "the record at position " + position + " is damaged");
            } else if (window.stream() != job.stream || window.type() > Journal.TYPE_MAX) {
                callback.damaged(index, "position " + position + " belongs to another stream");
            } else {
                callback.record(index, window.type(), payload);
            }
        } catch (IOException e) {
            LOG.warn("cannot read position {}", position, e);
            callback.damaged(index, "cannot read position " + position + ": " + e.getMessage());
        }
    }

    private static void give(long stream, int index, ByteBuffer record, ReadCallback callback) {
        if (RecordFraming.stream(record, 0) == stream && RecordFraming.type(record, 0) <= Journal.TYPE_MAX) {
            callback.record(index, RecordFraming.type(record, 0), RecordFraming.payload(record, 0));
        } else {
            callback.damaged(index, "the position belongs to another stream");
        }
    }

    /** How far the following positions reach, if one read can cover them. */
    private static int ahead(long[] positions, int index) {
        long from = positions[index];
        int last = index;
        while (last + 1 < positions.length
                && positions[last + 1] > positions[last]
                && positions[last + 1] - from < FileWindow.BYTES) {
            last++;
        }
        long perRecord = last == index ? 0 : (positions[last] - from) / (last - index);
        return (int) Math.min(FileWindow.BYTES, positions[last] - from + perRecord);
    }

    long records() {
        return records.sum();
    }
}
