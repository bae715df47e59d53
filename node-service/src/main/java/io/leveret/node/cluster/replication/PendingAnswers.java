package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Publishes that wait for a point of the log to be committed: a ring in log order. Answers that follow each other on a
 * channel are given as one range. Bound: the tail of the queue.
 */
final class PendingAnswers {
    private static final int START = 64;

    private long[] epochs = new long[START];
    private long[] indexes = new long[START];
    private @Nullable OriginChannel[] channels = new OriginChannel[START];
    private long[] numbers = new long[START];
    private long[] previous = new long[START];
    private int head;
    private int count;
    private final List<OriginChannel> gathering = new ArrayList<>();

    boolean isEmpty() {
        return count == 0;
    }

    /**
     * Adds a publish behind all others.
     *
     * @param point is not before that of the last one
     * @param before number of the publish that came before on the channel: two answers are one range when nothing was
     *     between them
     */
    void add(MessageId point, OriginChannel channel, long number, long before) {
        if (count == epochs.length) {
            grow();
        }
        int slot = (head + count++) & (epochs.length - 1);
        epochs[slot] = point.epoch();
        indexes[slot] = point.index();
        channels[slot] = channel;
        numbers[slot] = number;
        previous[slot] = before;
    }

    /** Answers what waits for the point or less. */
    void release(MessageId point, boolean isConfirmed, LeaderOutput output) {
        long epoch = point.epoch();
        long index = point.index();
        while (count > 0 && (epochs[head] < epoch || (epochs[head] == epoch && indexes[head] <= index))) {
            OriginChannel channel = channels[head];
            if (channel != null) {
                gather(channel, numbers[head], previous[head], isConfirmed, output);
            }
            channels[head] = null;
            head = (head + 1) & (epochs.length - 1);
            count--;
        }
        for (OriginChannel each : gathering) {
            output.answer(each.key, each.gatheredFrom, each.gatheredTo, isConfirmed);
            each.gatheredTo = 0;
        }
        gathering.clear();
    }

    private void gather(OriginChannel channel, long number, long before, boolean isConfirmed, LeaderOutput output) {
        if (channel.gatheredTo == 0) {
            gathering.add(channel);
            channel.gatheredFrom = number;
        } else if (channel.gatheredTo != before) {
            output.answer(channel.key, channel.gatheredFrom, channel.gatheredTo, isConfirmed);
            channel.gatheredFrom = number;
        }
        channel.gatheredTo = number;
    }

    private void grow() {
        epochs = unrolled(epochs);
        indexes = unrolled(indexes);
        numbers = unrolled(numbers);
        previous = unrolled(previous);
        int first = channels.length - head;
        @Nullable OriginChannel[] larger = Arrays.copyOfRange(channels, head, head + 2 * channels.length);
        System.arraycopy(channels, 0, larger, first, head);
        Arrays.fill(larger, channels.length, larger.length, null);
        channels = larger;
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
