package io.leveret.node.runtime;

/** Where a node takes chance from. Any thread. */
public interface Randomness {
    /** Fills the array with random bytes. */
    void fill(byte[] bytes);

    long nextLong();

    /** @return a number in [0, bound) */
    default long below(long bound) {
        return Math.floorMod(nextLong(), bound);
    }
}
