package io.leveret.node.amqp.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries of one channel that the client has not settled: delivery tag → (source, number within the source). Pure.
 *
 * <p>A ring indexed by tag. When it is full though mostly settled (the client holds on to a few old deliveries), the old ones
 * move to a tree, so that memory follows what is unsettled and not the distance of the tags. Settling several walks them
 * once and hands over runs of numbers, per source.
 *
 * <p>Bound: prefetch; without one, the channel pauses its consumers at a bound of its own.
 */
final class UnackedDeliveries<S extends UnackedDeliveries.Source> {
    private static final int CAPACITY_MIN = 64;

    /** Where a delivery came from. Carries what belongs to one walk over the deliveries. */
    abstract static class Source {
        private long runFrom;
        private long runTo;
    }

    private @Nullable Object[] sources = new Object[CAPACITY_MIN];
    private long[] numbers = new long[CAPACITY_MIN];
    private final TreeMap<Long, Old<S>> old = new TreeMap<>();
    private final List<S> touched = new ArrayList<>();
    /** Lowest tag that may be in the ring. */
    private long first = 1;

    private long next = 1;
    private int inRing;

    /** A tag for a delivery that needs no settling. */
    long skip() {
        if (inRing == 0) {
            first = next + 1;
        } else if (next - first == sources.length) {
            makeRoom();
        }
        return next++;
    }

    /** A tag for a delivery that is to be settled. */
    long add(S source, long number) {
        if (inRing == 0) {
            first = next;
        } else if (next - first == sources.length) {
            makeRoom();
        }
        int slot = slot(next);
        sources[slot] = source;
        numbers[slot] = number;
        inRing++;
        return next++;
    }

    /** The tag that the next delivery gets. */
    long nextTag() {
        return next;
    }

    /** The lowest tag that is not settled; 0: there is none. */
    long oldest() {
        if (!old.isEmpty()) {
            return old.firstKey();
        }
        while (inRing > 0 && sources[slot(first)] == null) {
            first++;
        }
        return inRing > 0 ? first : 0;
    }

    int size() {
        return inRing + old.size();
    }

    /**
     * Settles one delivery, or all up to it (tag 0: all).
     *
     * @return how many; -1 when the tag is unknown, and nothing is settled
     */
    int settle(long tag, boolean isMultiple, Sink<S> sink) {
        if (tag == 0 && isMultiple) {
            return settleAll(sink);
        } else if (!contains(tag)) {
            return -1;
        } else if (isMultiple) {
            return settleUpTo(tag, sink);
        }
        Old<S> straggler = old.remove(tag);
        if (straggler != null) {
            sink.settle(straggler.source, straggler.number, straggler.number);
        } else {
            long number = numbers[slot(tag)];
            sink.settle(take(tag), number, number);
        }
        return 1;
    }

    /**
     * As {@link #settle}, one by one with their tags: for those that may come back.
     *
     * @return how many; -1 when the tag is unknown, and nothing is taken
     */
    int take(long tag, boolean isMultiple, Taker<S> taker) {
        if (!(tag == 0 && isMultiple) && !contains(tag)) {
            return -1;
        }
        int before = size();
        long from = isMultiple ? 1 : tag;
        long to = tag == 0 ? next - 1 : tag;
        Map.Entry<Long, Old<S>> straggler = old.ceilingEntry(from);
        while (straggler != null && straggler.getKey() <= to) {
            old.remove(straggler.getKey());
            taker.take(straggler.getKey(), straggler.getValue().source, straggler.getValue().number);
            straggler = old.ceilingEntry(from);
        }
        for (long at = Math.max(first, from); at <= to && inRing > 0; at++) {
            if (sources[slot(at)] != null) {
                long number = numbers[slot(at)];
                taker.take(at, take(at), number);
            }
        }
        return before - size();
    }

    /** Shows the source of each delivery, most of them many times. */
    void forEachSource(Consumer<S> visitor) {
        old.values().forEach(each -> visitor.accept(each.source));
        for (long tag = first; tag < next && inRing > 0; tag++) {
            S source = at(tag);
            if (source != null) {
                visitor.accept(source);
            }
        }
    }

    @SuppressWarnings("unchecked") // only add() and restore() put something here
    private @Nullable S at(long tag) {
        return (S) sources[slot(tag)];
    }

    /** A delivery that was taken is unsettled again, under the same tag. */
    void restore(long tag, S source, long number) {
        if (tag < first) {
            old.put(tag, new Old<>(source, number));
        } else {
            sources[slot(tag)] = source;
            numbers[slot(tag)] = number;
            inRing++;
        }
    }

    int settleAll(Sink<S> sink) {
        return settleUpTo(Long.MAX_VALUE, sink);
    }

    private int settleUpTo(long tag, Sink<S> sink) {
        int before = size();
        while (!old.isEmpty() && old.firstKey() <= tag) {
            Old<S> straggler = old.pollFirstEntry().getValue();
            join(straggler.source, straggler.number, sink);
        }
        long end = Math.min(next - 1, tag);
        for (; first <= end && inRing > 0; first++) {
            if (sources[slot(first)] != null) {
                long number = numbers[slot(first)];
                join(take(first), number, sink);
            }
        }
        for (S source : touched) {
            endRun(source, sink);
        }
        touched.clear();
        return before - size();
    }

    private void join(S source, long number, Sink<S> sink) {
        Source run = source;
        if (run.runTo == 0) {
            touched.add(source);
        } else if (run.runTo + 1 == number) {
            run.runTo = number;
            return;
        } else {
            sink.settle(source, run.runFrom, run.runTo);
        }
        run.runFrom = number;
        run.runTo = number;
    }

    private void endRun(S source, Sink<S> sink) {
        Source run = source;
        long from = run.runFrom;
        long to = run.runTo;
        run.runFrom = 0;
        run.runTo = 0;
        sink.settle(source, from, to);
    }

    private boolean contains(long tag) {
        return (tag >= first && tag < next) ? inRing > 0 && sources[slot(tag)] != null : old.containsKey(tag);
    }

    private S take(long tag) {
        int slot = slot(tag);
        S source = at(tag);
        if (source == null) {
            throw new IllegalStateException("delivery tag " + tag + " is settled");
        }
        sources[slot] = null;
        inRing--;
        return source;
    }

    private void makeRoom() {
        if (inRing <= sources.length / 2) {
            for (; next - first > sources.length / 2; first++) {
                if (sources[slot(first)] != null) {
                    long number = numbers[slot(first)];
                    long tag = first;
                    old.put(tag, new Old<>(take(tag), number));
                }
            }
            return;
        }
        @Nullable Object[] oldSources = sources;
        long[] oldNumbers = numbers;
        int oldMask = oldSources.length - 1;
        sources = Arrays.copyOf(oldSources, oldSources.length * 2);
        Arrays.fill(sources, null);
        numbers = new long[sources.length];
        for (long tag = first; tag < next; tag++) {
            sources[slot(tag)] = oldSources[(int) tag & oldMask];
            numbers[slot(tag)] = oldNumbers[(int) tag & oldMask];
        }
    }

    private int slot(long tag) {
        return (int) tag & (sources.length - 1);
    }

    private record Old<S>(S source, long number) {}

    /** Takes deliveries. */
    @FunctionalInterface
    interface Taker<S> {
        void take(long tag, S source, long number);
    }

    /** Takes settled runs. */
    @FunctionalInterface
    interface Sink<S> {
        /** Deliveries from..to of this source, inclusive. */
        void settle(S source, long from, long to);
    }
}
