package io.leveret.node.cluster.replication;

import java.util.EnumSet;
import java.util.Set;

/** Which rules hold: all of them, but in tests that show what each is good for. */
final class Rules {
    /** As in production. */
    static final Rules ALL = new Rules(EnumSet.noneOf(Rule.class));

    private final Set<Rule> missing;

    private Rules(Set<Rule> missing) {
        this.missing = missing;
    }

    static Rules allBut(Rule first, Rule... more) {
        return new Rules(EnumSet.of(first, more));
    }

    boolean has(Rule rule) {
        return !missing.contains(rule);
    }
}
