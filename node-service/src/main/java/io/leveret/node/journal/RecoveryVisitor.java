package io.leveret.node.journal;

import java.nio.ByteBuffer;

/**
 * Takes what is stored, stream by stream in the order of its life. Buffers are valid during the call only.
 *
 * <p>A checkpoint is the owner's state at one moment, so records older than it only tell where the messages that are live in
 * that state are stored ({@link #stored}); records after it are applied ({@link #record}).
 */
public interface RecoveryVisitor {
    /** The state that the owner gave with its last answer. First of a stream; none means: begin empty. */
    void checkpoint(long stream, ByteBuffer state);

    /**
     * A record with index bytes, older than the stream's checkpoint. If its message is live in the checkpoint's state, this
     * is its position; of two records of one message the later call counts.
     *
     * @param payloadBytes the size of the whole payload, the index bytes included
     * @return whether it is live
     */
    boolean stored(long stream, long position, int type, ByteBuffer meta, int payloadBytes);

    /** A record appended after the checkpoint. */
    void record(long stream, long position, int type, ByteBuffer payload);

    /** The stream was dropped here: forget it. Later records under this number are a new stream. */
    void dropped(long stream);

    /**
     * Records of this stream were damaged on disk. What was and will be visited of it is not a state it ever had: the
     * replica is to be quarantined and the stream dropped. No more calls for this stream follow, except dropped.
     */
    void damaged(long stream, String why);
}
