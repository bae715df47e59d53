package io.leveret.node.broker.message;

/**
 * The id of an event of a queue, and of the message that the event published. Log order is id order.
 *
 * @param epoch the leadership in which the event was appended: cluster generation (high 16 bits) and counter
 * @param index 1, 2, 3 … within the epoch
 */
public record MessageId(long epoch, long index) implements Comparable<MessageId> {
    /** Before every id. */
    public static final MessageId ZERO = new MessageId(0, 0);

    @Override
    public int compareTo(MessageId other) {
        int byEpoch = Long.compare(epoch, other.epoch);
        return byEpoch != 0 ? byEpoch : Long.compare(index, other.index);
    }

    @Override
    public String toString() {
        return epoch + "/" + index;
    }
}
