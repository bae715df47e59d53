package io.leveret.node.broker.queue;

/**
 * What arguments and policy say about a queue, as its leader needs it.
 *
 * @param lengthMax ready messages, or {@link #UNLIMITED}
 * @param lengthBytesMax bytes of their bodies, or {@link #UNLIMITED}
 * @param isSingleActive one consumer at a time gets deliveries: the one that came first
 */
public record QueueSettings(long lengthMax, long lengthBytesMax, Overflow overflow, boolean isSingleActive) {
    /** No limit. */
    public static final long UNLIMITED = Long.MAX_VALUE;
    /** A queue without limits. */
    public static final QueueSettings NONE = new QueueSettings(UNLIMITED, UNLIMITED, Overflow.DROP_HEAD, false);

    /** What gives way when a queue is full. */
    public enum Overflow {
        DROP_HEAD,
        REJECT_PUBLISH
    }

    boolean allows(long messages, long bytes) {
        return messages <= lengthMax && bytes <= lengthBytesMax;
    }
}
