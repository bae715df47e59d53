package io.leveret.node.journal;

/**
 * Answers for the streams when storage is to be released. Called on the journal's background thread; it hands the question to
 * the stream's owner. A stream that nobody knows is answered with {@link Release#forget}.
 */
public interface ReleaseOwner {
    /** Asks for what is still needed in a range of positions. Answered once, from the owner of the stream, soon. */
    void release(Release release);

    /**
     * Records were copied: read them at their new positions from now on. A message that was settled in the meantime is
     * discarded at the new position. {@link Journal#NOWHERE} as a new position: the record was found damaged.
     *
     * @param from old positions, ascending
     * @param to the new position of each
     * @param done to be called when the owner asks for no old position any more; the journal waits for it, and then for the
     *     reads that were asked for before
     */
    void moved(long stream, long[] from, long[] to, Runnable done);
}
