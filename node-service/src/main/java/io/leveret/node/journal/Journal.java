package io.leveret.node.journal;

import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/**
 * A node's storage: many streams of records in one log. A stream is a number (a queue's replica); the journal knows nothing
 * else of it. A record is (stream, type, payload) at a position; positions grow in append order over all streams.
 *
 * <pre>
 * owner ── append… commit ──► buffer ──► write-ahead log (one fsync per group) ──► durable listeners
 *                                              │ over its size: the oldest file is released
 * owner ◄── release(range) ── background ◄─────┘
 * owner ── answer(live positions, checkpoint) ──► segments, manifest ──► moved(from, to) ──► file reused
 * </pre>
 *
 * <p>Each stream has one owner, which appends, answers and drops in one thread at a time. {@link #recover} runs once, before
 * everything else. All other methods may be called from any thread and never block it.
 */
public interface Journal extends AutoCloseable {
    /** No position: where a message is that is on no disk, or whose record was found damaged. */
    long NOWHERE = 0;

    /** Owners' record types are 1 to this. */
    int TYPE_MAX = 127;

    /** The most bytes of a payload that can be repeated in the index. */
    int META_BYTES_MAX = 255;

    /** The largest payload. */
    int PAYLOAD_BYTES_MAX = 512 << 20;

    /**
     * Streams all that is stored to the visitor, in the calling thread, and opens the journal for appends. Per stream the
     * visitor sees: checkpoint, stored records, records after the checkpoint in append order.
     */
    RecoveryReport recover(RecoveryVisitor visitor);

    /** Who answers when storage is to be released. Set before the first append. */
    void setReleaseOwner(ReleaseOwner owner);

    /**
     * Copies a record into the current group and returns its position. It becomes durable soon after {@link #commit}, or
     * else within {@link JournalSettings#lazyNanos()}. Never refuses: the caller watches {@link #isCongested}.
     *
     * @param metaBytes how many bytes at the beginning of the payload are repeated in the index, so that a recovery can do
     *     without the rest; 0 for records that are never live (whose effect is in the checkpoint)
     * @param head the first part of the payload, from its position to its limit, both left as they are
     * @param second the next part, may be empty
     * @param third the last part, may be empty
     */
    long append(long stream, int type, int metaBytes, ByteBuffer head, byte[] second, byte[] third);

    /** {@link #append(long, int, int, ByteBuffer, byte[], byte[])} of a payload in one piece. */
    long append(long stream, int type, int metaBytes, ByteBuffer payload);

    /** Rings the doorbell: all that was appended so far is written and fsynced now. Call it once per batch of appends. */
    void commit();

    /** All records at positions below this one are on disk, fsynced. */
    long durablePosition();

    /**
     * Called with the new {@link #durablePosition} on the journal's writing thread after each fsync. Must not block. Add
     * listeners before the first append.
     */
    void addDurableListener(LongConsumer listener);

    /** Whether more is waiting to be written than should be: publishers are to be pushed back. */
    boolean isCongested();

    /** Called, on a thread of the journal, when {@link #isCongested} turns false. Must not block. */
    void addRelievedListener(Runnable listener);

    /**
     * Reads records, also those not yet written. The callback is called on the journal's reading thread, once per position
     * in the given order, then finished. Ascending positions are read in few, large reads.
     */
    void read(long stream, long[] positions, ReadCallback callback);

    /**
     * Tells that a record is no longer live, after the record that settles it was appended. Only needed for positions of
     * which {@link #isInSegment} is true (others are ignored). It is what makes sparse segments be rewritten.
     */
    void discard(long stream, long position);

    /**
     * Forgets a stream: what was appended to it so far is ignored from now on, also after a restart once this is durable.
     * Pending reads may still be answered. The number may be appended to again, as a new stream.
     */
    void drop(long stream);

    /** Whether the position is in the old generation. */
    static boolean isInSegment(long position) {
        return Positions.isInSegment(position);
    }

    JournalStatistics statistics();

    /** Writes and fsyncs what was appended, then stops the threads of the journal. */
    @Override
    void close();
}
