package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.CodecException;
import java.util.Arrays;

/**
 * Per epoch, the index of the last event applied. A replica applies the events of an epoch without gaps, so this says which
 * events it has seen. Epochs come in ascending order; there is one entry for each epoch that had events.
 */
public final class Ends {
    private long[] pairs = new long[4];
    private int count;

    Ends copy() {
        Ends other = new Ends();
        other.pairs = Arrays.copyOf(pairs, Math.max(4, 2 * count));
        other.count = count;
        return other;
    }

    /** An event was applied. */
    void set(long epoch, long index) {
        if (count > 0 && pairs[2 * count - 2] == epoch) {
            pairs[2 * count - 1] = index;
            return;
        }
        if (count > 0 && pairs[2 * count - 2] > epoch) {
            throw new IllegalStateException("an event of epoch " + epoch + " after one of " + pairs[2 * count - 2]);
        }
        if (2 * count == pairs.length) {
            pairs = Arrays.copyOf(pairs, 2 * pairs.length);
        }
        pairs[2 * count] = epoch;
        pairs[2 * count + 1] = index;
        count++;
    }

    /** The last event, or {@link MessageId#ZERO}. */
    MessageId last() {
        return count == 0 ? MessageId.ZERO : new MessageId(pairs[2 * count - 2], pairs[2 * count - 1]);
    }

    /** The last index of an epoch, or 0. */
    long of(long epoch) {
        for (int at = count - 1; at >= 0; at--) {
            if (pairs[2 * at] == epoch) {
                return pairs[2 * at + 1];
            }
        }
        return 0;
    }

    /** Whether the event was applied here. */
    boolean has(MessageId id) {
        return id.index() <= of(id.epoch());
    }

    /** Nothing after the point was applied. */
    void truncate(MessageId point) {
        while (count > 0 && pairs[2 * count - 2] > point.epoch()) {
            count--;
        }
        if (count > 0 && pairs[2 * count - 2] == point.epoch()) {
            pairs[2 * count - 1] = Math.min(pairs[2 * count - 1], point.index());
            if (pairs[2 * count - 1] == 0) {
                count--;
            }
        }
    }

    void write(RecordWriter out) {
        out.putVar(count);
        for (int at = 0; at < 2 * count; at++) {
            out.putVar(pairs[at]);
        }
    }

    static Ends read(RecordReader in) {
        Ends ends = new Ends();
        int count = in.getCount();
        for (int at = 0; at < count; at++) {
            long epoch = in.getVar();
            long index = in.getVar();
            if (epoch < 0 || index < 1 || (at > 0 && epoch <= ends.pairs[2 * at - 2])) {
                throw new CodecException("ends are out of order");
            }
            ends.set(epoch, index);
        }
        return ends;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Ends ends
                && count == ends.count
                && Arrays.equals(pairs, 0, 2 * count, ends.pairs, 0, 2 * count);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(last().epoch()) * 31 + Long.hashCode(last().index());
    }

    @Override
    public String toString() {
        return Arrays.toString(Arrays.copyOf(pairs, 2 * count));
    }
}
