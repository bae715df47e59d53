package io.leveret.node.runtime;

/** Where broken invariants and failed fsyncs go: a node that can no longer keep its word stops. */
@FunctionalInterface
public interface FaultHandler {
    /**
     * Reports a fault after which this node must not answer anybody. In production it logs and halts the process; it may
     * return in tests.
     */
    void fatal(String what, Throwable cause);
}
