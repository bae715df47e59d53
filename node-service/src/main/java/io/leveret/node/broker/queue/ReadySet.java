package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import org.jspecify.annotations.Nullable;

/**
 * The messages that may be delivered, in id order: all that are not out. A cursor stands at or before the first; it goes back
 * when a message is requeued or merged in. Nothing is kept per message.
 */
final class ReadySet {
    private final LiveMessages live;
    private final MessageCursor first = new MessageCursor();
    private final MessageId inherited;

    ReadySet(LiveMessages live, MessageId inherited) {
        this.live = live;
        this.inherited = inherited;
        live.putAllBack();
    }

    /** Whether there is a first message; the accessors below are about it. */
    boolean hasFirst() {
        return live.findReady(first);
    }

    MessageCursor first() {
        return first;
    }

    /** The first message, null while it is not in memory. */
    @Nullable
    Message message() {
        return live.chunkAt(first).message(first.slot);
    }

    boolean isRedelivered() {
        return live.chunkAt(first).has(first.slot, LiveMessage.REDELIVERED)
                || first.epoch < inherited.epoch()
                || (first.epoch == inherited.epoch() && first.index <= inherited.index());
    }

    /** The first message goes out. @return whether its body was read back for this, and has left memory again */
    boolean takeFirst() {
        live.takeOut(first);
        LiveChunk chunk = live.chunkAt(first);
        if (!chunk.has(first.slot, LiveMessage.READ_BACK)) {
            return false;
        }
        chunk.lower(first.slot, LiveMessage.READ_BACK);
        live.detach(first);
        return true;
    }

    /** A message that was out is ready again. */
    void putBack(long epoch, long index, boolean isRedelivered) {
        if (live.putBack(epoch, index, isRedelivered)) {
            first.moveBackTo(epoch, index);
        }
    }

    /** A message was put in at an older place. */
    void added(MessageId id) {
        first.moveBackTo(id.epoch(), id.index());
    }

    /** The ids of all that is ready. */
    IdRuns runs() {
        IdRuns.Builder runs = new IdRuns.Builder();
        MessageCursor cursor = new MessageCursor();
        cursor.moveTo(first.epoch, first.index);
        while (live.findReady(cursor)) {
            runs.add(cursor.epoch, cursor.index);
            live.skip(cursor);
        }
        return runs.build();
    }

    long count() {
        return live.readyCount();
    }

    long bytes() {
        return live.readyBytes();
    }
}
