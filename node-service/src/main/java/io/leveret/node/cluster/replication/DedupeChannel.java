package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.CodecException;
import java.util.function.BiConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The accepted publishes of one channel that may come again: number → id, sorted by number, in a ring of arrays. Numbers
 * come nearly always in ascending order and leave at the low end.
 */
final class DedupeChannel {
    private static final int START = 8;

    final ChannelKey key;
    /** Highest number ever accepted; 0: none. */
    long highest;
    /** The channel publishes no more, but what is frozen of it stays. */
    boolean isClosed;

    private long[] numbers = new long[START];
    private long[] epochs = new long[START];
    private long[] indexes = new long[START];
    private int head;
    private int count;
    /** Trimming looks behind a frozen head only when so many entries have gathered: it costs O(1) amortised. */
    private int compactAt = 2 * START;

    DedupeChannel(ChannelKey key) {
        this.key = key;
    }

    int count() {
        return count;
    }

    /** Adds a number; one that is there gets the new id. */
    void put(long number, long epoch, long index) {
        int at = count;
        if (count > 0 && numbers[slot(count - 1)] >= number) {
            int found = find(number);
            if (found >= 0) {
                epochs[slot(found)] = epoch;
                indexes[slot(found)] = index;
                return;
            }
            at = -1 - found;
        }
        if (count == numbers.length) {
            grow();
        }
        for (int to = count; to > at; to--) {
            move(slot(to - 1), slot(to));
        }
        int slot = slot(at);
        numbers[slot] = number;
        epochs[slot] = epoch;
        indexes[slot] = index;
        count++;
    }

    boolean contains(long number) {
        return find(number) >= 0;
    }

    /** The id under which the number was accepted, or null. */
    @Nullable
    MessageId get(long number) {
        int at = find(number);
        return at < 0 ? null : new MessageId(epochs[slot(at)], indexes[slot(at)]);
    }

    void remove(long number) {
        int at = find(number);
        if (at < 0) {
            return;
        }
        for (int from = at + 1; from < count; from++) {
            move(slot(from), slot(from - 1));
        }
        count--;
    }

    /** Forgets numbers below the floor, but for those whose id is older than the frozen epoch. */
    void trim(long floor, long frozenEpoch) {
        while (count > 0 && numbers[head] < floor && epochs[head] >= frozenEpoch) {
            head = (head + 1) & (numbers.length - 1);
            count--;
        }
        if (frozenEpoch > 0 && count >= compactAt) {
            compact(floor, frozenEpoch);
            compactAt = 2 * Math.max(count, START);
        }
    }

    private void compact(long floor, long frozenEpoch) {
        keep(number -> number >= floor, frozenEpoch);
    }

    /** Forgets the others, but for those whose id is older than the frozen epoch. */
    void keep(LongPredicate isKept, long frozenEpoch) {
        int kept = 0;
        for (int at = 0; at < count; at++) {
            int from = slot(at);
            if (isKept.test(numbers[from]) || epochs[from] < frozenEpoch) {
                move(from, slot(kept++));
            }
        }
        count = kept;
    }

    void forEach(BiConsumer<Long, MessageId> visitor) {
        for (int at = 0; at < count; at++) {
            visitor.accept(numbers[slot(at)], new MessageId(epochs[slot(at)], indexes[slot(at)]));
        }
    }

    DedupeChannel copy() {
        DedupeChannel other = new DedupeChannel(key);
        other.highest = highest;
        other.isClosed = isClosed;
        for (int at = 0; at < count; at++) {
            other.put(numbers[slot(at)], epochs[slot(at)], indexes[slot(at)]);
        }
        return other;
    }

    void write(RecordWriter out) {
        out.putVar(key.node());
        out.putVar(key.boot());
        out.putVar(key.channel());
        out.putVar(highest);
        out.putByte(isClosed ? 1 : 0);
        out.putVar(count);
        long before = 0;
        for (int at = 0; at < count; at++) {
            int slot = slot(at);
            out.putVar(numbers[slot] - before);
            out.putVar(epochs[slot]);
            out.putVar(indexes[slot]);
            before = numbers[slot];
        }
    }

    static DedupeChannel read(RecordReader in) {
        DedupeChannel channel = new DedupeChannel(new ChannelKey(in.getInt(), in.getVar(), in.getVar()));
        channel.highest = in.getVar();
        channel.isClosed = in.getFlag();
        int count = in.getCount();
        long number = 0;
        for (int at = 0; at < count; at++) {
            long step = in.getVar();
            number += step;
            if (number < 0 || step < 0 || (at > 0 && step == 0)) {
                throw new CodecException("numbers of a channel are out of order");
            }
            channel.put(number, in.getVar(), in.getVar());
        }
        return channel;
    }

    /** The place of the number, or {@code -1 - place} where it belongs. */
    private int find(long number) {
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long found = numbers[slot(middle)];
            if (found == number) {
                return middle;
            }
            if (found < number) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1 - low;
    }

    private int slot(int at) {
        return (head + at) & (numbers.length - 1);
    }

    private void move(int from, int to) {
        numbers[to] = numbers[from];
        epochs[to] = epochs[from];
        indexes[to] = indexes[from];
    }

    private void grow() {
        numbers = unrolled(numbers);
        epochs = unrolled(epochs);
        indexes = unrolled(indexes);
        head = 0;
    }

    private long[] unrolled(long[] ring) {
        long[] larger = new long[2 * ring.length];
        int first = ring.length - head;
        System.arraycopy(ring, head, larger, 0, first);
        System.arraycopy(ring, 0, larger, first, head);
        return larger;
    }
}
