package io.leveret.node.journal;

import java.nio.ByteBuffer;

/** Takes the records of one read, on the journal's reading thread. */
public interface ReadCallback {
    /**
     * One record.
     *
     * @param index which of the positions asked for
     * @param payload valid during the call only
     */
    void record(int index, int type, ByteBuffer payload);

    /** The record at this position cannot be read: damaged, or no record of this stream. */
    void damaged(int index, String why);

    /** All positions have been answered. */
    void finished();
}
