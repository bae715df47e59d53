package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.MessageId;
import java.util.Arrays;

/**
 * An immutable set of message ids as sorted runs of neighbours. Three longs a run (epoch, first index, last index); runs of
 * one epoch neither overlap nor touch.
 */
public final class IdRuns {
    /** No id. */
    public static final IdRuns EMPTY = new IdRuns(new long[0]);

    private final long[] runs;

    private IdRuns(long[] runs) {
        this.runs = runs;
    }

    public static IdRuns of(MessageId id) {
        return new IdRuns(new long[] {id.epoch(), id.index(), id.index()});
    }

    /** The ids first..last (inclusive) of one epoch. */
    public static IdRuns range(long epoch, long first, long last) {
        if (first > last) {
            throw new IllegalArgumentException("a run that ends before it starts");
        }
        return new IdRuns(new long[] {epoch, first, last});
    }

    public int count() {
        return runs.length / 3;
    }

    public boolean isEmpty() {
        return runs.length == 0;
    }

    public long epoch(int run) {
        return runs[3 * run];
    }

    public long first(int run) {
        return runs[3 * run + 1];
    }

    public long last(int run) {
        return runs[3 * run + 2];
    }

    /** How many ids the runs cover. */
    public long size() {
        long size = 0;
        for (int run = 0; run < count(); run++) {
            size += last(run) - first(run) + 1;
        }
        return size;
    }

    /** Whether the id is in the set. */
    public boolean contains(MessageId id) {
        int low = 0;
        int high = count() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (id.epoch() < epoch(middle) || (id.epoch() == epoch(middle) && id.index() < first(middle))) {
                high = middle - 1;
            } else if (id.epoch() > epoch(middle) || id.index() > last(middle)) {
                low = middle + 1;
            } else {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IdRuns && Arrays.equals(runs, ((IdRuns) other).runs);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(runs);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("[");
        for (int run = 0; run < count(); run++) {
            text.append(run == 0 ? "" : " ").append(epoch(run)).append('/').append(first(run));
            if (last(run) > first(run)) {
                text.append("..").append(last(run));
            }
        }
        return text.append(']').toString();
    }

    /**
     * Collects ids or runs in any order; neighbours that come in order coalesce at once. Reusable after {@link #build}.
     */
    public static final class Builder {
        private static final int START_LONGS = 24;

        private long[] runs = new long[START_LONGS];
        private int length;
        private boolean isSorted = true;

        public Builder add(long epoch, long index) {
            return add(epoch, index, index);
        }

        /** Adds first..last, inclusive. */
        public Builder add(long epoch, long first, long last) {
            if (length > 0) {
                long lastEpoch = runs[length - 3];
                long lastIndex = runs[length - 1];
                if (epoch == lastEpoch && first == lastIndex + 1) {
                    runs[length - 1] = last;
                    return this;
                }
                isSorted &= epoch > lastEpoch || (epoch == lastEpoch && first > lastIndex);
            }
            if (length == runs.length) {
                runs = Arrays.copyOf(runs, 2 * length);
            }
            runs[length] = epoch;
            runs[length + 1] = first;
            runs[length + 2] = last;
            length += 3;
            return this;
        }

        public boolean isEmpty() {
            return length == 0;
        }

        /** Runs collected so far, before sorting: what bounds the memory of the builder. */
        public int count() {
            return length / 3;
        }

        /** The set, sorted and coalesced; the builder is empty afterwards. */
        public IdRuns build() {
            if (length == 0) {
                return EMPTY;
            }
            if (!isSorted) {
                sort();
            }
            IdRuns built = new IdRuns(Arrays.copyOf(runs, length));
            length = 0;
            isSorted = true;
            if (runs.length > 1024 * START_LONGS) {
                runs = new long[START_LONGS];
            }
            return built;
        }

        private void sort() {
            // Merge sort over triples: no boxing, and what usually comes, a few sorted sequences, costs few passes.
            long[] from = runs;
            long[] to = new long[runs.length];
            boolean isMerged = false;
            while (!isMerged) {
                int passes = mergePass(from, to);
                long[] swap = from;
                from = to;
                to = swap;
                isMerged = passes <= 1;
            }
            runs = from;
            coalesce();
        }

        /** Merges sequences pairwise from one array into the other. @return sequences left */
        private int mergePass(long[] from, long[] to) {
            int left = 0;
            int sequences = 0;
            while (left < length) {
                int middle = sequenceEnd(from, left);
                int end = middle < length ? sequenceEnd(from, middle) : middle;
                int a = left;
                int b = middle;
                for (int at = left; at < end; at += 3) {
                    boolean takesA = b >= end || (a < middle && !isBefore(from, b, a));
                    int source = takesA ? a : b;
                    System.arraycopy(from, source, to, at, 3);
                    if (takesA) {
                        a += 3;
                    } else {
                        b += 3;
                    }
                }
                left = end;
                sequences++;
            }
            return sequences;
        }

        private int sequenceEnd(long[] array, int start) {
            int end = start + 3;
            while (end < length && !isBefore(array, end, end - 3)) {
                end += 3;
            }
            return end;
        }

        private static boolean isBefore(long[] array, int a, int b) {
            return array[a] < array[b] || (array[a] == array[b] && array[a + 1] < array[b + 1]);
        }

        private void coalesce() {
            int kept = 3;
            for (int at = 3; at < length; at += 3) {
                if (runs[at] == runs[kept - 3] && runs[at + 1] <= runs[kept - 1] + 1) {
                    runs[kept - 1] = Math.max(runs[kept - 1], runs[at + 2]);
                } else {
                    System.arraycopy(runs, at, runs, kept, 3);
                    kept += 3;
                }
            }
            length = kept;
        }
    }
}
