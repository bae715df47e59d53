package io.leveret.node.broker.queue;

/** The queue exists, but no node leads it now. An operating fault: the caller tells its client. */
public final class QueueUnavailableException extends RuntimeException {
    public QueueUnavailableException(String reason) {
        super(reason);
    }
}
