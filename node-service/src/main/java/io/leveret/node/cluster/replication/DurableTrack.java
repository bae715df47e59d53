package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;

/**
 * Which event a replica has on disk. Records are counted as they are appended, and the journal tells how many of them are
 * durable. Events that are not journalled (transient messages) count as durable with what precedes them.
 */
final class DurableTrack {
    private static final int START = 64;

    private long appended;
    private long durable;
    /** A ring over the records that are not durable: the last event before each. */
    private long[] epochs = new long[START];

    private long[] indexes = new long[START];

    /** A record goes to the journal. @param endBefore the last event before it */
    void appended(long endEpoch, long endIndex) {
        if (appended - durable == epochs.length) {
            grow();
        }
        int slot = (int) (appended & (epochs.length - 1));
        epochs[slot] = endEpoch;
        indexes[slot] = endIndex;
        appended++;
    }

    /** How many records went to the journal. */
    long count() {
        return appended;
    }

    long durableCount() {
        return durable;
    }

    /** So many are on disk. */
    void durable(long count) {
        if (count > appended) {
            throw new IllegalStateException(count + " records on disk of " + appended);
        }
        durable = Math.max(durable, count);
    }

    /** The last event on disk, with all before it. @param end the last event of all */
    MessageId end(MessageId end) {
        if (durable == appended) {
            return end;
        }
        int slot = (int) (durable & (epochs.length - 1));
        return new MessageId(epochs[slot], indexes[slot]);
    }

    private void grow() {
        long[] moreEpochs = new long[2 * epochs.length];
        long[] moreIndexes = new long[2 * epochs.length];
        for (long at = durable; at < appended; at++) {
            moreEpochs[(int) (at & (moreEpochs.length - 1))] = epochs[(int) (at & (epochs.length - 1))];
            moreIndexes[(int) (at & (moreEpochs.length - 1))] = indexes[(int) (at & (epochs.length - 1))];
        }
        epochs = moreEpochs;
        indexes = moreIndexes;
    }
}
