package io.leveret.node.runtime;

import java.security.SecureRandom;

/** Chance that nobody can foresee: for nonces and ids. */
public final class SecureRandomness implements Randomness {
    private final SecureRandom random = new SecureRandom();

    @Override
    public void fill(byte[] bytes) {
        random.nextBytes(bytes);
    }

    @Override
    public long nextLong() {
        return random.nextLong();
    }
}
