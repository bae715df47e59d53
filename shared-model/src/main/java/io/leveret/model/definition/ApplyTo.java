package io.leveret.model.definition;

import java.util.Arrays;
import java.util.Optional;

/** Which kinds of objects a policy covers. */
public enum ApplyTo {
    ALL("all"),
    QUEUES("queues"),
    EXCHANGES("exchanges");

    private final String word;

    ApplyTo(String word) {
        this.word = word;
    }

    /** As written in JSON and on the command line. */
    public String word() {
        return word;
    }

    /** The kind that is written so, or nothing. Case matters. */
    public static Optional<ApplyTo> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word.equals(word)).findFirst();
    }

    public boolean coversQueues() {
        return this != EXCHANGES;
    }

    public boolean coversExchanges() {
        return this != QUEUES;
    }
}
