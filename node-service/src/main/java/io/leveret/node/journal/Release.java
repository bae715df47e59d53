package io.leveret.node.journal;

/** The question which records of a stream, in a range of positions, are still live. */
public interface Release {
    long stream();

    /** First position of the range. */
    long from();

    /** End of the range; not in it. */
    long until();

    /** Whether the position lies in the range. */
    default boolean covers(long position) {
        return position >= from() && position < until();
    }

    /**
     * The answer, from the owner of the stream, with its state at this moment: everything that it has appended so far is in
     * the checkpoint. Live is every message whose record may still be read, so also one that is settled by an event which
     * may yet be undone.
     *
     * @param livePositions positions of live records in the range, in any order; given away
     * @param checkpoint the state of the stream without message bodies; it must tell, for each record with index bytes,
     *     whether it is live; given away
     */
    void answer(long[] livePositions, byte[] checkpoint);

    /** The answer for a stream that nobody owns: it is dropped. */
    void forget();
}
