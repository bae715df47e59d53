package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.CodecException;
import io.leveret.node.broker.queue.IdRuns;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A set of ids as sorted runs, each closed at both ends. Ids are ordered by epoch, then index, and a run may cross epochs:
 * "everything up to here" is one run, whatever epochs there were. Ids that come in order extend the last run, so the set of
 * all events ever seen costs one run for each epoch and hole, not one entry for each id. Epoch and index are never
 * negative. Owned by one replica; {@link #copy()} to hand it on.
 */
public final class RunSet {
    /** A run takes four numbers: epoch and index of its first id, epoch and index of its last. */
    private static final int STRIDE = 4;

    private long[] runs;
    /** Where the first run stands: runs that leave at the low end, as in a queue, move nothing. */
    private int head;

    private int count;

    public RunSet() {
        this(2);
    }

    private RunSet(int capacity) {
        runs = new long[Math.max(1, capacity) * STRIDE];
    }

    /** The one run from..to; empty when to is before from. */
    public static RunSet range(MessageId from, MessageId to) {
        RunSet set = new RunSet();
        set.addRange(from.epoch(), from.index(), to.epoch(), to.index());
        return set;
    }

    /** The set of these ids, in any order. */
    public static RunSet of(MessageId... ids) {
        RunSet set = new RunSet();
        for (MessageId id : ids) {
            set.add(id.epoch(), id.index());
        }
        return set;
    }

    public RunSet copy() {
        RunSet other = new RunSet(count);
        System.arraycopy(runs, head, other.runs, 0, count * STRIDE);
        other.count = count;
        return other;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public int runCount() {
        return count;
    }

    /** How many ids; {@link Long#MAX_VALUE} when a run crosses epochs. */
    public long size() {
        long sum = 0;
        for (int at = head; at < at(count); at += STRIDE) {
            if (runs[at] != runs[at + 2]) {
                return Long.MAX_VALUE;
            }
            sum += runs[at + 3] - runs[at + 1] + 1;
        }
        return sum;
    }

    public boolean contains(MessageId id) {
        return contains(id.epoch(), id.index());
    }

    public boolean contains(long epoch, long index) {
        int run = firstEndingAtOrAfter(epoch, index);
        return run < count && compare(runs[at(run)], runs[at(run) + 1], epoch, index) <= 0;
    }

    /** Whether all of first..last of the epoch are here. */
    boolean containsRange(long epoch, long first, long last) {
        int run = firstEndingAtOrAfter(epoch, last);
        return run < count && compare(runs[at(run)], runs[at(run) + 1], epoch, first) <= 0;
    }

    /** The runs, as the broker writes sets of ids; a run that crosses epochs cannot be written so. */
    IdRuns toIdRuns() {
        IdRuns.Builder ids = new IdRuns.Builder();
        forEachRun((fromEpoch, fromIndex, toEpoch, toIndex) -> {
            if (fromEpoch != toEpoch) {
                throw new IllegalStateException("a run crosses epochs");
            }
            ids.add(fromEpoch, fromIndex, toIndex);
        });
        return ids.build();
    }

    static RunSet of(IdRuns ids) {
        RunSet set = new RunSet(ids.count() + 1);
        for (int run = 0; run < ids.count(); run++) {
            set.append(ids.epoch(run), ids.first(run), ids.epoch(run), ids.last(run));
        }
        return set;
    }

    public void add(MessageId id) {
        add(id.epoch(), id.index());
    }

    public void add(long epoch, long index) {
        int last = at(count - 1);
        if (count > 0 && runs[last + 2] == epoch && runs[last + 3] + 1 == index) {
            runs[last + 3] = index;
            return;
        }
        addRange(epoch, index, epoch, index);
    }

    public void remove(MessageId id) {
        removeRange(id.epoch(), id.index(), id.epoch(), id.index());
    }

    public void addAll(RunSet other) {
        if (other.count <= 8) {
            for (int at = other.head; at < other.at(other.count); at += STRIDE) {
                addRange(other.runs[at], other.runs[at + 1], other.runs[at + 2], other.runs[at + 3]);
            }
            return;
        }
        RunSet merged = new RunSet(count + other.count);
        int mine = 0;
        int its = 0;
        while (mine < count || its < other.count) {
            boolean isMine = its >= other.count || (mine < count && compareFrom(mine, other, its) <= 0);
            merged.append(isMine ? runs : other.runs, isMine ? at(mine++) : other.at(its++));
        }
        runs = merged.runs;
        head = 0;
        count = merged.count;
    }

    public void removeAll(RunSet other) {
        if (other.count <= 8) {
            for (int at = other.head; at < other.at(other.count); at += STRIDE) {
                removeRange(other.runs[at], other.runs[at + 1], other.runs[at + 2], other.runs[at + 3]);
            }
            return;
        }
        RunSet rest = intersection(other.complement());
        runs = rest.runs;
        head = 0;
        count = rest.count;
    }

    /** What is in both, as a new set. */
    public RunSet intersection(RunSet other) {
        RunSet both = new RunSet(Math.min(count, other.count) + 1);
        int mine = 0;
        int its = 0;
        while (mine < count && its < other.count) {
            int a = at(mine);
            int b = other.at(its);
            int from = compareFrom(mine, other, its) >= 0 ? 0 : 1;
            long fromEpoch = from == 0 ? runs[a] : other.runs[b];
            long fromIndex = from == 0 ? runs[a + 1] : other.runs[b + 1];
            boolean isMineFirstToEnd = compare(runs[a + 2], runs[a + 3], other.runs[b + 2], other.runs[b + 3]) <= 0;
            long toEpoch = isMineFirstToEnd ? runs[a + 2] : other.runs[b + 2];
            long toIndex = isMineFirstToEnd ? runs[a + 3] : other.runs[b + 3];
            if (compare(fromEpoch, fromIndex, toEpoch, toIndex) <= 0) {
                both.append(fromEpoch, fromIndex, toEpoch, toIndex);
            }
            if (isMineFirstToEnd) {
                mine++;
            } else {
                its++;
            }
        }
        return both;
    }

    /** The part of the set in from..to, as a new set. */
    public RunSet within(MessageId from, MessageId to) {
        return intersection(range(from, to));
    }

    /** What is here and not there, as a new set. */
    public RunSet minus(RunSet other) {
        RunSet rest = copy();
        rest.removeAll(other);
        return rest;
    }

    /** Runs first..first+length-1 as a new set: a part that fits into one message. */
    public RunSet part(int first, int length) {
        int taken = Math.max(0, Math.min(length, count - first));
        RunSet part = new RunSet(taken);
        System.arraycopy(runs, at(first), part.runs, 0, taken * STRIDE);
        part.count = taken;
        return part;
    }

    /** The lowest id above this one, or null. */
    @Nullable
    MessageId firstAfter(MessageId id) {
        boolean isLast = id.index() == Long.MAX_VALUE;
        long epoch = isLast ? id.epoch() + 1 : id.epoch();
        long index = isLast ? 0 : id.index() + 1;
        int run = firstEndingAtOrAfter(epoch, index);
        if (run == count) {
            return null;
        }
        int at = at(run);
        return compare(runs[at], runs[at + 1], epoch, index) >= 0
                ? new MessageId(runs[at], runs[at + 1])
                : new MessageId(epoch, index);
    }

    public MessageId first() {
        return new MessageId(runs[head], runs[head + 1]);
    }

    public MessageId last() {
        int at = at(count - 1);
        return new MessageId(runs[at + 2], runs[at + 3]);
    }

    /** Shows the runs in order. */
    public void forEachRun(RunVisitor visitor) {
        for (int at = head; at < at(count); at += STRIDE) {
            visitor.run(runs[at], runs[at + 1], runs[at + 2], runs[at + 3]);
        }
    }

    /** Sees one run, closed at both ends. */
    @FunctionalInterface
    public interface RunVisitor {
        void run(long fromEpoch, long fromIndex, long toEpoch, long toIndex);
    }

    public void addRange(MessageId from, MessageId to) {
        addRange(from.epoch(), from.index(), to.epoch(), to.index());
    }

    private void addRange(long fromEpoch, long fromIndex, long toEpoch, long toIndex) {
        if (compare(fromEpoch, fromIndex, toEpoch, toIndex) > 0) {
            return;
        }
        // The first run that touches or overlaps the new one, and the first beyond it that does not.
        int low = fromIndex > 0
                ? firstEndingAtOrAfter(fromEpoch, fromIndex - 1)
                : fromEpoch > 0 ? firstEndingAtOrAfter(fromEpoch - 1, Long.MAX_VALUE) : 0;
        int high = low;
        long lowEpoch = fromEpoch;
        long lowIndex = fromIndex;
        long highEpoch = toEpoch;
        long highIndex = toIndex;
        while (high < count && isTouching(toEpoch, toIndex, runs[at(high)], runs[at(high) + 1])) {
            int at = at(high);
            if (compare(runs[at], runs[at + 1], lowEpoch, lowIndex) < 0) {
                lowEpoch = runs[at];
                lowIndex = runs[at + 1];
            }
            if (compare(runs[at + 2], runs[at + 3], highEpoch, highIndex) > 0) {
                highEpoch = runs[at + 2];
                highIndex = runs[at + 3];
            }
            high++;
        }
        replace(low, high, 1);
        set(low, lowEpoch, lowIndex, highEpoch, highIndex);
    }

    void removeRange(MessageId from, MessageId to) {
        removeRange(from.epoch(), from.index(), to.epoch(), to.index());
    }

    private void removeRange(long fromEpoch, long fromIndex, long toEpoch, long toIndex) {
        if (compare(fromEpoch, fromIndex, toEpoch, toIndex) > 0) {
            return;
        }
        int low = firstEndingAtOrAfter(fromEpoch, fromIndex);
        int high = low;
        while (high < count && compare(runs[at(high)], runs[at(high) + 1], toEpoch, toIndex) <= 0) {
            high++;
        }
        if (low == high) {
            return;
        }
        int a = at(low);
        int b = at(high - 1);
        long headEpoch = runs[a];
        long headIndex = runs[a + 1];
        long tailEpoch = runs[b + 2];
        long tailIndex = runs[b + 3];
        boolean hasHead = compare(headEpoch, headIndex, fromEpoch, fromIndex) < 0;
        boolean hasTail = compare(tailEpoch, tailIndex, toEpoch, toIndex) > 0;
        replace(low, high, (hasHead ? 1 : 0) + (hasTail ? 1 : 0));
        if (hasHead) {
            boolean isFirstOfEpoch = fromIndex == 0;
            set(
                    low,
                    headEpoch,
                    headIndex,
                    isFirstOfEpoch ? fromEpoch - 1 : fromEpoch,
                    isFirstOfEpoch ? Long.MAX_VALUE : fromIndex - 1);
        }
        if (hasTail) {
            boolean isLastOfEpoch = toIndex == Long.MAX_VALUE;
            set(
                    hasHead ? low + 1 : low,
                    isLastOfEpoch ? toEpoch + 1 : toEpoch,
                    isLastOfEpoch ? 0 : toIndex + 1,
                    tailEpoch,
                    tailIndex);
        }
    }

    private RunSet complement() {
        RunSet all = new RunSet(count + 1);
        long epoch = 0;
        long index = 0;
        boolean isOpen = true;
        for (int at = head; at < at(count); at += STRIDE) {
            if (compare(epoch, index, runs[at], runs[at + 1]) < 0) {
                boolean isFirst = runs[at + 1] == 0;
                all.append(
                        epoch, index, isFirst ? runs[at] - 1 : runs[at], isFirst ? Long.MAX_VALUE : runs[at + 1] - 1);
            }
            isOpen = runs[at + 2] < Long.MAX_VALUE || runs[at + 3] < Long.MAX_VALUE;
            boolean isLast = runs[at + 3] == Long.MAX_VALUE;
            epoch = isLast ? runs[at + 2] + 1 : runs[at + 2];
            index = isLast ? 0 : runs[at + 3] + 1;
        }
        if (isOpen) {
            all.append(epoch, index, Long.MAX_VALUE, Long.MAX_VALUE);
        }
        return all;
    }

    /** Adds a run that starts at or after the start of the last one. */
    private void append(long[] from, int at) {
        append(from[at], from[at + 1], from[at + 2], from[at + 3]);
    }

    private void append(long fromEpoch, long fromIndex, long toEpoch, long toIndex) {
        int last = at(count - 1);
        if (count > 0 && isTouching(runs[last + 2], runs[last + 3], fromEpoch, fromIndex)) {
            if (compare(toEpoch, toIndex, runs[last + 2], runs[last + 3]) > 0) {
                runs[last + 2] = toEpoch;
                runs[last + 3] = toIndex;
            }
            return;
        }
        replace(count, count, 1);
        set(count - 1, fromEpoch, fromIndex, toEpoch, toIndex);
    }

    /** Whether a run that ends at the first id and one that starts at the second leave no id between them. */
    private static boolean isTouching(long toEpoch, long toIndex, long fromEpoch, long fromIndex) {
        if (compare(fromEpoch, fromIndex, toEpoch, toIndex) <= 0) {
            return true;
        }
        return fromEpoch == toEpoch
                ? fromIndex == toIndex + 1
                : toIndex == Long.MAX_VALUE && fromEpoch == toEpoch + 1 && fromIndex == 0;
    }

    private int at(int run) {
        return head + run * STRIDE;
    }

    /** Makes room for so many runs in the place of low..high-1. The shorter side moves. */
    private void replace(int low, int high, int by) {
        int gone = high - low - by;
        if (gone > 0 && low < count - high) {
            System.arraycopy(runs, head, runs, head + gone * STRIDE, low * STRIDE);
            head += gone * STRIDE;
            count -= gone;
            return;
        }
        int wanted = count - gone;
        if (at(wanted) > runs.length) {
            long[] larger = new long[Math.max(wanted, count * 2) * STRIDE];
            System.arraycopy(runs, head, larger, 0, count * STRIDE);
            runs = larger;
            head = 0;
        }
        System.arraycopy(runs, at(high), runs, at(low + by), (count - high) * STRIDE);
        count = wanted;
    }

    private void set(int run, long fromEpoch, long fromIndex, long toEpoch, long toIndex) {
        int at = at(run);
        runs[at] = fromEpoch;
        runs[at + 1] = fromIndex;
        runs[at + 2] = toEpoch;
        runs[at + 3] = toIndex;
    }

    private int firstEndingAtOrAfter(long epoch, long index) {
        int low = 0;
        int high = count;
        if (count > 0 && compare(runs[at(count - 1) + 2], runs[at(count - 1) + 3], epoch, index) < 0) {
            return count;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (compare(runs[at(middle) + 2], runs[at(middle) + 3], epoch, index) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int compareFrom(int run, RunSet other, int itsRun) {
        int a = at(run);
        int b = other.at(itsRun);
        return compare(runs[a], runs[a + 1], other.runs[b], other.runs[b + 1]);
    }

    private static int compare(long epoch, long index, long otherEpoch, long otherIndex) {
        return epoch != otherEpoch ? Long.compare(epoch, otherEpoch) : Long.compare(index, otherIndex);
    }

    void write(RecordWriter out) {
        out.putVar(count);
        long epoch = 0;
        long index = 0;
        for (int at = head; at < at(count); at += STRIDE) {
            // Differences: runs of one epoch that lie close together take two or three bytes.
            out.putVar(runs[at] - epoch);
            out.putVar(runs[at] == epoch ? runs[at + 1] - index : runs[at + 1]);
            out.putVar(runs[at + 2] - runs[at]);
            out.putVar(runs[at + 2] == runs[at] ? runs[at + 3] - runs[at + 1] : runs[at + 3]);
            epoch = runs[at + 2];
            index = runs[at + 3];
        }
    }

    static RunSet read(RecordReader in) {
        int count = in.getCount();
        RunSet set = new RunSet(count);
        long epoch = 0;
        long index = 0;
        for (int run = 0; run < count; run++) {
            long fromEpoch = epoch + in.getVar();
            long fromIndex = (fromEpoch == epoch ? index : 0) + in.getVar();
            long toEpoch = fromEpoch + in.getVar();
            long toIndex = (toEpoch == fromEpoch ? fromIndex : 0) + in.getVar();
            boolean isInOrder = run == 0 || !isTouching(epoch, index, fromEpoch, fromIndex);
            if (!isInOrder
                    || fromEpoch < 0
                    || fromIndex < 0
                    || toIndex < 0
                    || compare(fromEpoch, fromIndex, toEpoch, toIndex) > 0) {
                throw new CodecException("runs are out of order");
            }
            set.append(fromEpoch, fromIndex, toEpoch, toIndex);
            epoch = toEpoch;
            index = toIndex;
        }
        return set;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RunSet set
                && count == set.count
                && Arrays.equals(runs, head, at(count), set.runs, set.head, set.at(set.count));
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(Arrays.copyOfRange(runs, head, at(count)));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        forEachRun((fromEpoch, fromIndex, toEpoch, toIndex) -> {
            text.append(text.length() > 1 ? " " : "")
                    .append(fromEpoch)
                    .append('/')
                    .append(fromIndex);
            if (fromEpoch != toEpoch) {
                text.append("..").append(toEpoch).append('/').append(toIndex);
            } else if (fromIndex != toIndex) {
                text.append("..").append(toIndex);
            }
        });
        return text.append('}').toString();
    }
}
