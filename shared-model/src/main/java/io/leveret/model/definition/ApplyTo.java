package io.leveret.model.definition;

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

    public boolean coversQueues() {
        return this != EXCHANGES;
    }

    public boolean coversExchanges() {
        return this != QUEUES;
    }
}
