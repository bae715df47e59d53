package io.leveret.node.broker.message;

/** Bytes that are no field table, or a value that no field table can hold. The message is a sentence for the sender. */
public final class FieldTableException extends RuntimeException {
    public FieldTableException(String reason) {
        super(reason, null, false, false);
    }
}
