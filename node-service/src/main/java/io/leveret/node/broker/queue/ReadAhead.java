package io.leveret.node.broker.queue;

/** Reads bodies back before they are needed. */
final class ReadAhead {
    static final int MESSAGES_MAX = 256;

    private ReadAhead() {}
}
