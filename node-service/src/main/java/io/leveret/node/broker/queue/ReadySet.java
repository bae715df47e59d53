package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The messages that may be delivered, in the order of their ids, higher priorities first: all that are not out. For each
 * priority in use a cursor stands at or before its first; it goes back when a message is requeued or merged in. Nothing is
 * kept per message.
 */
final class ReadySet {
    private final LiveMessages live;
    private final MessageId inherited;
    private @Nullable MessageCursor[] byPriority = new MessageCursor[1];
    /** Of the priority whose turn it is. */
    private MessageCursor first;

    /** @param delivered which of what was inherited were delivered before, or null: perhaps all */
    ReadySet(LiveMessages live, MessageId inherited, @Nullable IdRuns delivered) {
        this.live = live;
        this.inherited = delivered == null ? inherited : MessageId.ZERO;
        live.putAllBack();
        if (delivered != null) {
            live.markRedelivered(delivered);
        }
        first = cursor(0);
    }

    private MessageCursor cursor(int priority) {
        if (priority >= byPriority.length) {
            byPriority = Arrays.copyOf(byPriority, priority + 1);
        }
        MessageCursor cursor = byPriority[priority];
        if (cursor == null) {
            cursor = new MessageCursor();
            cursor.priority = priority;
            byPriority[priority] = cursor;
        }
        return cursor;
    }

    /** Whether there is a first message; the accessors below are about it. */
    boolean hasFirst() {
        int top = live.topPriority();
        if (first.priority != top) {
            first = cursor(top);
        }
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

    long deadline() {
        return live.chunkAt(first).deadline(first.slot);
    }

    boolean isRedelivered() {
        return live.chunkAt(first).has(first.slot, LiveMessage.REDELIVERED) || isInherited(first);
    }

    private boolean isInherited(MessageCursor cursor) {
        return cursor.epoch < inherited.epoch()
                || (cursor.epoch == inherited.epoch() && cursor.index <= inherited.index());
    }

    /** The ids of all that is out, or would be redelivered. */
    IdRuns delivered() {
        IdRuns.Builder runs = new IdRuns.Builder();
        MessageCursor cursor = new MessageCursor();
        while (live.find(cursor)) {
            LiveChunk chunk = live.chunkAt(cursor);
            boolean isOut = !chunk.isReady(cursor.slot);
            if (isOut || chunk.has(cursor.slot, LiveMessage.REDELIVERED) || isInherited(cursor)) {
                runs.add(cursor.epoch, cursor.index);
            }
            live.skip(cursor);
        }
        return runs.build();
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
        int priority = live.putBack(epoch, index, isRedelivered);
        if (priority != LiveMessages.NOT_OUT) {
            cursor(priority).moveBackTo(epoch, index);
        }
    }

    /** A message was put in at an older place. */
    void added(MessageId id) {
        cursor(live.priority(id)).moveBackTo(id.epoch(), id.index());
    }

    /** The ids of all that is ready. */
    IdRuns runs() {
        IdRuns.Builder runs = new IdRuns.Builder();
        MessageCursor cursor = new MessageCursor();
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
