package io.leveret.node.runtime;

/** For code that waits: an interruption it was told of by an exception is kept for whoever owns the thread. */
public final class Interruption {
    private Interruption() {}

    /** Called where an {@link InterruptedException} is caught and not thrown on. */
    public static void keep() {
        Thread.currentThread().interrupt();
    }
}
