package io.leveret.model.definition;

import java.util.Arrays;
import java.util.Optional;

/** How a policy says which nodes hold a queue. */
public enum HaMode {
    /** Every node. */
    ALL("all"),
    /** As many as ha-params says, or all when there are fewer. */
    EXACTLY("exactly"),
    /** The nodes that ha-params lists. */
    NODES("nodes");

    private final String word;

    HaMode(String word) {
        this.word = word;
    }

    /** As written in a policy. */
    public String word() {
        return word;
    }

    /** The mode that is written so, or nothing. Case matters. */
    public static Optional<HaMode> of(String word) {
        return Arrays.stream(values()).filter(mode -> mode.word.equals(word)).findFirst();
    }
}
