package io.leveret.node.broker.definitions;

/** Bytes that are not what they should be: damage, or a version that this release does not know. */
public final class MalformedBytesException extends RuntimeException {
    public MalformedBytesException(String reason) {
        super(reason);
    }

    public MalformedBytesException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
