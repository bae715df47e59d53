package io.leveret.node.runtime;

/** A scheduled task that may be called off. */
@FunctionalInterface
public interface Cancellable {
    /** The task does not start after this returns when called on its executor; harmless when it already ran. */
    void cancel();
}
