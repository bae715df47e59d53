package io.leveret.node.broker.queue;

/** Bytes that are no event of ours: a damaged record, or one of a newer version. */
public final class CodecException extends IllegalArgumentException {
    public CodecException(String reason) {
        super(reason);
    }
}
