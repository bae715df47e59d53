package io.leveret.node.simulation;

/** An invariant of DESIGN.md §3 does not hold. */
final class Violation extends RuntimeException {
    Violation(String what) {
        super(what);
    }
}
