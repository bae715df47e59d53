package io.leveret.node.journal;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A file of the old generation: records that outlived the log, in runs of one stream each, with a sibling index. Written by
 * the background thread; counted down by the owners.
 */
final class Segment {
    /** Consecutive records of one stream. */
    record Run(long stream, int start, int count) {}

    /** The runs of one release, sorted by offset. */
    private static final class Batch {
        final int[] starts;
        final long[] streams;
        final AtomicIntegerArray live;

        Batch(Run[] runs) {
            starts = new int[runs.length];
            streams = new long[runs.length];
            live = new AtomicIntegerArray(runs.length);
            for (int i = 0; i < runs.length; i++) {
                starts[i] = runs[i].start;
                streams[i] = runs[i].stream;
                live.set(i, runs[i].count);
            }
        }
    }

    final long number;
    final FileAppender data;
    final FileAppender index;
    private final AtomicInteger live = new AtomicInteger();
    private volatile Batch[] batches = {};
    private volatile int total;
    private volatile boolean isClosed;

    Segment(long number, LogFile dataFile, LogFile indexFile, Manifest.Extent filled) {
        this.number = number;
        long base = Positions.inSegment(number, 0);
        this.data = new FileAppender(dataFile, base, filled.dataEnd());
        this.index = new FileAppender(indexFile, base, filled.indexEnd());
    }

    static String dataName(long number) {
        return String.format("segment-%016x", number);
    }

    static String indexName(long number) {
        return String.format("index-%016x", number);
    }

    Manifest.Extent extent() {
        return new Manifest.Extent(number, data.end(), index.end());
    }

    /** Runs are live from now on; count: of those live, recorded: of all that are in the file. */
    void add(Run[] runs, int recorded) {
        if (runs.length > 0) {
            Batch[] longer = Arrays.copyOf(batches, batches.length + 1);
            longer[batches.length] = new Batch(runs);
            batches = longer;
            for (Run run : runs) {
                live.addAndGet(run.count);
            }
        }
        total += recorded;
    }

    void discard(long stream, int offset) {
        Batch[] all = batches;
        for (int i = all.length - 1; i >= 0; i--) {
            Batch batch = all[i];
            if (batch.starts[0] <= offset) {
                int found = Arrays.binarySearch(batch.starts, offset);
                int run = found >= 0 ? found : -found - 2;
                if (batch.streams[run] == stream) {
                    batch.live.decrementAndGet(run);
                    live.decrementAndGet();
                }
                return;
            }
        }
    }

    /** Nothing of these streams is live any more. */
    void drop(Set<Long> streams) {
        for (Batch batch : batches) {
            for (int run = 0; run < batch.streams.length; run++) {
                if (streams.contains(batch.streams[run])) {
                    live.addAndGet(-batch.live.getAndSet(run, 0));
                }
            }
        }
    }

    /** The streams with runs, in ascending order. */
    long[] streams() {
        return Arrays.stream(batches)
                .flatMapToLong(each -> Arrays.stream(each.streams))
                .distinct()
                .sorted()
                .toArray();
    }

    void close() {
        isClosed = true;
    }

    boolean isClosed() {
        return isClosed;
    }

    /** At most half of it is live: moving that costs no more than it frees. */
    boolean isSparse() {
        return isClosed && 2L * live.get() <= total;
    }

    int live() {
        return live.get();
    }

    int total() {
        return total;
    }
}
