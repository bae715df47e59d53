package io.leveret.node.amqp.server;

import java.util.Arrays;

/**
 * The publishes of one channel that wait for answers, and the confirms that follow from the answers. Pure.
 *
 * <p>Every publish has a number 1, 2, 3 …, in confirm mode or not. It is <em>open</em> while it is being routed, then
 * <em>waits</em> for one answer of each queue, then is <em>answered</em>; one refusal refuses the whole. From
 * {@link #select} on, each gets a confirm with its delivery tag, the first one tag 1.
 *
 * <p>Confirms leave at the end of a batch ({@link #collect}): the answered publishes before the first that waits go as
 * {@code multiple}, one for each stretch with the same verdict; those behind it go singly, so a slow queue holds up no other.
 *
 * <p>Bound: the connection's {@link PublishWindow}, which ends reading; the ring only grows to what is on its way.
 */
final class PublisherConfirms {
    private static final int CAPACITY_MIN = 64;
    /** Stands for "not routed yet" in a count of answers; more than a message can have queues. */
    private static final int OPEN = 1 << 24;

    private static final byte REFUSED = 1;
    private static final byte EMITTED = 2;

    private final PublishWindow window;
    private int[] left = new int[CAPACITY_MIN];
    private int[] bytes = new int[CAPACITY_MIN];
    private byte[] flags = new byte[CAPACITY_MIN];
    /** The lowest number that is not answered, or answered and not collected. */
    private long first = 1;

    private long next = 1;
    private int waiting;
    private long waitingBytes;

    private boolean isAbandoned;
    private boolean isSelected;
    /** Number of the publish before the one with tag 1. */
    private long tagBase;

    private long[] early = new long[CAPACITY_MIN];
    private int earlyCount;

    PublisherConfirms(PublishWindow window) {
        this.window = window;
    }

    /** From the next publish on, confirms are given. Harmless when given already. */
    void select() {
        if (!isSelected) {
            isSelected = true;
            tagBase = next - 1;
        }
    }

    boolean isSelected() {
        return isSelected;
    }

    /** The number that the next publish gets. */
    long nextNumber() {
        return next;
    }

    /** Begins a publish. @return its number */
    long open(int messageBytes) {
        if (next - first == left.length) {
            grow();
        }
        int slot = slot(next);
        left[slot] = OPEN;
        bytes[slot] = messageBytes;
        flags[slot] = 0;
        waiting++;
        waitingBytes += messageBytes;
        window.add(messageBytes);
        return next++;
    }

    /** The publish was handed to this many queues, some of which may have answered already. */
    void routed(long number, int queues) {
        int slot = slot(number);
        left[slot] += queues - OPEN;
        if (left[slot] == 0) {
            answeredAll(number, slot);
        }
    }

    /** One queue's answer. */
    void answered(long number, boolean isConfirmed) {
        if (number < first || number >= next || left[slot(number)] == 0) {
            throw new IllegalStateException("publish " + number + " has all its answers");
        }
        int slot = slot(number);
        if (!isConfirmed) {
            flags[slot] |= REFUSED;
        }
        left[slot]--;
        if (left[slot] == 0) {
            answeredAll(number, slot);
        }
    }

    /** Gives the confirms that are due. @return how many publishes they cover */
    int collect(Sink sink) {
        int covered = collectInOrder(sink);
        for (int i = 0; i < earlyCount; i++) {
            long number = early[i];
            int slot = slot(number);
            if (number >= first && (flags[slot] & EMITTED) == 0) {
                flags[slot] |= EMITTED;
                sink.confirm(number - tagBase, false, (flags[slot] & REFUSED) == 0);
                covered++;
            }
        }
        earlyCount = 0;
        return covered;
    }

    /** Publishes without all their answers. */
    int waiting() {
        return waiting;
    }

    /** The channel is gone: nothing of it counts for its connection any more. The answers are still to be told. */
    void abandon() {
        isAbandoned = true;
        window.abandon(waiting, waitingBytes);
        waiting = 0;
        waitingBytes = 0;
    }

    private int collectInOrder(Sink sink) {
        int covered = 0;
        int run = 0;
        long runLast = 0;
        int runVerdict = 0;
        for (; first < next && left[slot(first)] == 0; first++) {
            int flag = flags[slot(first)];
            if (!isSelected || first <= tagBase || (flag & EMITTED) != 0) {
                continue;
            }
            if (run > 0 && (flag & REFUSED) != runVerdict) {
                sink.confirm(runLast - tagBase, run > 1, runVerdict == 0);
                covered += run;
                run = 0;
            }
            run++;
            runLast = first;
            runVerdict = flag & REFUSED;
        }
        if (run > 0) {
            sink.confirm(runLast - tagBase, run > 1, runVerdict == 0);
        }
        return covered + run;
    }

    private void answeredAll(long number, int slot) {
        if (isAbandoned) {
            window.removeAbandoned(bytes[slot]);
            return;
        }
        waiting--;
        waitingBytes -= bytes[slot];
        window.remove(1, bytes[slot]);
        if (number != first && isSelected && number > tagBase) {
            if (earlyCount == early.length) {
                early = Arrays.copyOf(early, earlyCount * 2);
            }
            early[earlyCount++] = number;
        }
    }

    private int slot(long number) {
        return (int) number & (left.length - 1);
    }

    private void grow() {
        int[] oldLeft = left;
        int[] oldBytes = bytes;
        byte[] oldFlags = flags;
        int oldMask = oldLeft.length - 1;
        left = new int[oldLeft.length * 2];
        bytes = new int[left.length];
        flags = new byte[left.length];
        for (long number = first; number < next; number++) {
            int from = (int) number & oldMask;
            left[slot(number)] = oldLeft[from];
            bytes[slot(number)] = oldBytes[from];
            flags[slot(number)] = oldFlags[from];
        }
    }

    /** Takes confirms. */
    @FunctionalInterface
    interface Sink {
        /** @param isMultiple all up to this tag that have had none */
        void confirm(long deliveryTag, boolean isMultiple, boolean isConfirmed);
    }
}
