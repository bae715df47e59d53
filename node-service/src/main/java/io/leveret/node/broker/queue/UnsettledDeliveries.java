package io.leveret.node.broker.queue;

import java.util.Arrays;

/**
 * The deliveries of one subscription that wait for a verdict: delivery number → message id, in number order, in three arrays
 * of longs. Numbers mostly go in the order they came; those that stay behind are kept together when room runs out, so the
 * arrays never grow beyond twice what is unsettled.
 */
public final class UnsettledDeliveries {
    private static final int START = 8;
    private static final int KEPT_WHEN_EMPTY_MAX = 1024;
    /** Indexes of ids start at 1, so 0 marks a settled entry. */
    private static final long SETTLED = 0;

    private long[] numbers = new long[START];
    private long[] epochs = new long[START];
    private long[] indexes = new long[START];
    private int head;
    private int end;
    private int count;

    int count() {
        return count;
    }

    /** Adds a delivery; its number is higher than all before. */
    public void add(long number, long epoch, long index) {
        if (end == numbers.length) {
            makeRoom();
        }
        numbers[end] = number;
        epochs[end] = epoch;
        indexes[end] = index;
        end++;
        count++;
    }

    /** The place of the first entry with this number or a higher one, settled or not; {@link #end()} without one. */
    int placeOf(long number) {
        if (head == end || number <= numbers[head]) {
            return head;
        }
        long guess = head + (number - numbers[head]);
        if (guess < end && numbers[(int) guess] == number) {
            return (int) guess;
        }
        int low = head;
        int high = end;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (numbers[middle] < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Beyond the last place. */
    int end() {
        return end;
    }

    long number(int place) {
        return numbers[place];
    }

    boolean isUnsettled(int place) {
        return indexes[place] != SETTLED;
    }

    long epoch(int place) {
        return epochs[place];
    }

    long index(int place) {
        return indexes[place];
    }

    /** Marks an entry settled; places stay what they are until {@link #tidy}. */
    void settle(int place) {
        indexes[place] = SETTLED;
        count--;
    }

    /** Lets go of what was settled at the front. Ends a series of {@link #settle}. */
    void tidy() {
        if (count == 0) {
            head = 0;
            end = 0;
            if (numbers.length > KEPT_WHEN_EMPTY_MAX) {
                resize(START);
            }
            return;
        }
        while (indexes[head] == SETTLED) {
            head++;
        }
    }

    private void makeRoom() {
        int kept = 0;
        for (int place = head; place < end; place++) {
            if (indexes[place] != SETTLED) {
                numbers[kept] = numbers[place];
                epochs[kept] = epochs[place];
                indexes[kept] = indexes[place];
                kept++;
            }
        }
        head = 0;
        end = kept;
        if (kept > numbers.length / 2) {
            resize(2 * numbers.length);
        }
    }

    private void resize(int length) {
        numbers = Arrays.copyOf(numbers, length);
        epochs = Arrays.copyOf(epochs, length);
        indexes = Arrays.copyOf(indexes, length);
    }

    /** Adds the ids of the unsettled entries from..to. @return how many */
    public int ids(long from, long to, IdRuns.Builder into) {
        int found = 0;
        for (int place = placeOf(from); place < end && numbers[place] <= to; place++) {
            if (indexes[place] != SETTLED) {
                into.add(epochs[place], indexes[place]);
                found++;
            }
        }
        return found;
    }

    /** Lets go of the entries from..to. */
    public void settle(long from, long to) {
        for (int place = placeOf(from); place < end && numbers[place] <= to; place++) {
            if (indexes[place] != SETTLED) {
                settle(place);
            }
        }
        tidy();
    }

    /** Entries for which there is room, settled ones included: what bounds the memory. */
    int capacity() {
        return numbers.length;
    }
}
