package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.MessageId;

/**
 * A place between the messages of a queue that survives their coming and going. It is an id; where that id is in the chunks
 * is remembered until chunks move.
 */
final class MessageCursor {
    /** Messages of all priorities. */
    static final int ANY = -1;

    /** Of which messages {@link LiveMessages#findReady} is to find the first. */
    int priority = ANY;

    long epoch;
    long index;
    int chunk;
    int slot;
    /** The {@link LiveMessages} structure for which chunk and slot hold. */
    int structure = -1;

    /** Goes to an id, held or not. */
    void moveTo(long newEpoch, long newIndex) {
        epoch = newEpoch;
        index = newIndex;
        structure = -1;
    }

    /** Goes to the id when the cursor is beyond it. */
    void moveBackTo(long newEpoch, long newIndex) {
        if (newEpoch < epoch || (newEpoch == epoch && newIndex < index)) {
            moveTo(newEpoch, newIndex);
        }
    }

    void moveTo(MessageCursor other) {
        priority = other.priority;
        epoch = other.epoch;
        index = other.index;
        chunk = other.chunk;
        slot = other.slot;
        structure = other.structure;
    }

    boolean isBefore(MessageCursor other) {
        return epoch < other.epoch || (epoch == other.epoch && index < other.index);
    }

    MessageId id() {
        return new MessageId(epoch, index);
    }
}
