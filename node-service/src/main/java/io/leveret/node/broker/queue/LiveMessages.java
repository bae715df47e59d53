package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.MessageProperties;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a queue in id order, without an object per message: a directory of {@link LiveChunk}s. Appending at the
 * end and removing near the front cost O(1) amortised, looking up an id O(log n), inserting an older id (undo, backfill,
 * merge) O(chunk). The message itself is optional: with {@link LiveMessage#position} known and the body on disk it may be
 * detached and attached again.
 *
 * <p>The leader marks what is out for delivery here, too, so that readiness needs no structure of its own: {@link
 * #findReady} skips chunks in which all is out. Owned by the queue's executor.
 */
public final class LiveMessages {
    static final int NOT_OUT = -1;

    private final ChunkList chunks = new ChunkList();

    private long count;
    private long bytes;
    private long ready;
    private long readyBytes;
    private long persistent;
    private long persistentBytes;
    private final PriorityCounts readyByPriority = new PriorityCounts();
    private long resident;
    private long residentBytes;

    /** Adds a message at its place, as ready. @return false, and nothing changes, when its id is held already */
    public boolean add(LiveMessage entry) {
        LiveChunk chunk = chunks.insert(entry);
        if (chunk == null) {
            return false;
        }
        chunk.live++;
        chunk.ready++;
        count++;
        bytes += entry.bodyBytes();
        ready++;
        readyBytes += entry.bodyBytes();
        readyByPriority.add(entry.priority());
        persistent += entry.isPersistent() ? 1 : 0;
        persistentBytes += entry.isPersistent() ? entry.bodyBytes() : 0;
        Message message = entry.message();
        if (message != null) {
            resident++;
            residentBytes += message.memoryBytes();
        }
        return true;
    }

    /** @return what {@link #add} needs to put it back, or null when the id is not held */
    public @Nullable LiveMessage remove(MessageId id) {
        LiveMessage[] removed = new LiveMessage[1];
        removeRange(id.epoch(), id.index(), id.index(), entry -> removed[0] = entry);
        return removed[0];
    }

    /** Removes what is held of the runs; each goes to the sink, in id order. */
    public void removeAll(IdRuns ids, Consumer<LiveMessage> removed) {
        for (int run = 0; run < ids.count(); run++) {
            removeRange(ids.epoch(run), ids.first(run), ids.last(run), removed);
        }
    }

    private void removeRange(long epoch, long first, long last, Consumer<LiveMessage> removed) {
        int at = Math.max(chunks.floor(epoch, first), chunks.head());
        while (at < chunks.end()) {
            LiveChunk chunk = chunks.at(at);
            if (chunk.epoch > epoch || (chunk.epoch == epoch && chunk.firstIndex() > last)) {
                return;
            }
            if (chunk.epoch < epoch) {
                at++;
                continue;
            }
            int found = chunk.find(first);
            for (int slot = found < 0 ? -1 - found : found; slot < chunk.count && chunk.indexAt(slot) <= last; slot++) {
                if (chunk.isLive(slot)) {
                    LiveMessage entry = chunk.entry(slot);
                    forget(chunk, slot, entry);
                    removed.accept(entry);
                }
            }
            at = chunks.tidy(at);
        }
    }

    private void forget(LiveChunk chunk, int slot, LiveMessage entry) {
        if (chunk.isReady(slot)) {
            chunk.ready--;
            ready--;
            readyBytes -= entry.bodyBytes();
            readyByPriority.remove(entry.priority());
        }
        Message message = entry.message();
        if (message != null) {
            resident--;
            residentBytes -= message.memoryBytes();
        }
        chunk.clear(slot);
        chunk.live--;
        count--;
        bytes -= entry.bodyBytes();
        persistent -= entry.isPersistent() ? 1 : 0;
        persistentBytes -= entry.isPersistent() ? entry.bodyBytes() : 0;
    }

    public boolean contains(MessageId id) {
        return chunks.locate(id.epoch(), id.index()) != ChunkList.NOWHERE;
    }

    /** Whether the message is held and not out for delivery. */
    public boolean isReady(MessageId id) {
        long place = chunks.locate(id.epoch(), id.index());
        return place != ChunkList.NOWHERE && chunks.chunk(place).isReady(ChunkList.slot(place));
    }

    public @Nullable LiveMessage get(MessageId id) {
        long place = chunks.locate(id.epoch(), id.index());
        return place == ChunkList.NOWHERE ? null : chunks.chunk(place).entry(ChunkList.slot(place));
    }

    public @Nullable LiveMessage first() {
        return next(MessageId.ZERO);
    }

    /** The first message with a higher id. For a walk over few messages at a time, in which they may come and go. */
    public @Nullable LiveMessage next(MessageId after) {
        MessageCursor cursor = new MessageCursor();
        cursor.moveTo(after.epoch(), after.index() + 1);
        return find(cursor) ? chunks.at(cursor.chunk).entry(cursor.slot) : null;
    }

    /** The highest id held. */
    public @Nullable MessageId lastId() {
        if (chunks.head() == chunks.end()) {
            return null;
        }
        LiveChunk chunk = chunks.at(chunks.end() - 1);
        int slot = chunk.count - 1;
        while (!chunk.isLive(slot)) {
            slot--;
        }
        return new MessageId(chunk.epoch, chunk.indexAt(slot));
    }

    /** Gives all messages in id order. They must not change meanwhile. */
    public void forEach(Consumer<LiveMessage> visitor) {
        MessageCursor cursor = new MessageCursor();
        while (find(cursor)) {
            visitor.accept(chunks.at(cursor.chunk).entry(cursor.slot));
            skip(cursor);
        }
    }

    /** The ids from..to (both inclusive) that are held. */
    public IdRuns runs(MessageId from, MessageId to) {
        IdRuns.Builder runs = new IdRuns.Builder();
        MessageCursor cursor = new MessageCursor();
        cursor.moveTo(from.epoch(), from.index());
        while (find(cursor)
                && (cursor.epoch < to.epoch() || (cursor.epoch == to.epoch() && cursor.index <= to.index()))) {
            runs.add(cursor.epoch, cursor.index);
            skip(cursor);
        }
        return runs.build();
    }

    /** Those of the ids that are held. */
    IdRuns held(IdRuns ids) {
        IdRuns.Builder held = new IdRuns.Builder();
        MessageCursor cursor = new MessageCursor();
        for (int run = 0; run < ids.count(); run++) {
            cursor.moveTo(ids.epoch(run), ids.first(run));
            while (find(cursor) && cursor.epoch == ids.epoch(run) && cursor.index <= ids.last(run)) {
                held.add(cursor.epoch, cursor.index);
                skip(cursor);
            }
        }
        return held.build();
    }

    /** The ids of all messages. */
    public IdRuns runs() {
        return runs(MessageId.ZERO, new MessageId(Long.MAX_VALUE, Long.MAX_VALUE));
    }

    /** The record of the message was written, or moved. @return false when the id is not held */
    public boolean setPosition(MessageId id, long position) {
        return setPosition(id.epoch(), id.index(), position);
    }

    /** As {@link #setPosition(MessageId, long)}, for the hot path. */
    public boolean setPosition(long epoch, long index, long position) {
        long place = chunks.locate(epoch, index);
        if (place == ChunkList.NOWHERE) {
            return false;
        }
        chunks.chunk(place).setPosition(ChunkList.slot(place), position);
        return true;
    }

    /**
     * The positions from..until (exclusive) that hold messages: what the journal must keep of a file that it wants to
     * release. Looks at every message, some million in a few milliseconds.
     */
    public long[] positionsIn(long from, long until) {
        LongList found = new LongList();
        for (int at = chunks.head(); at < chunks.end(); at++) {
            LiveChunk chunk = chunks.at(at);
            for (int slot = chunk.first; slot < chunk.count; slot++) {
                long position = chunk.position(slot);
                if (position >= from && position < until && chunk.isLive(slot)) {
                    found.add(position);
                }
            }
        }
        return found.toArray();
    }

    /**
     * The journal has copied records. Looks at every message, as {@link #positionsIn} does.
     *
     * @param from old positions, ascending
     * @param to the new one of each
     * @param gone gets the new positions of records whose messages are not held any more
     */
    public void relocate(long[] from, long[] to, LongConsumer gone) {
        if (from.length == 0) {
            return;
        }
        boolean[] isFound = new boolean[from.length];
        for (int at = chunks.head(); at < chunks.end(); at++) {
            LiveChunk chunk = chunks.at(at);
            for (int slot = chunk.first; slot < chunk.count; slot++) {
                long position = chunk.position(slot);
                if (position >= from[0] && position <= from[from.length - 1] && chunk.isLive(slot)) {
                    int moved = Arrays.binarySearch(from, position);
                    if (moved >= 0) {
                        chunk.setPosition(slot, to[moved]);
                        isFound[moved] = true;
                    }
                }
            }
        }
        for (int i = 0; i < from.length; i++) {
            if (!isFound[i]) {
                gone.accept(to[i]);
            }
        }
    }

    /** Puts a message back into memory. @return false when the id is not held */
    public boolean attach(MessageId id, Message message) {
        long place = chunks.locate(id.epoch(), id.index());
        if (place == ChunkList.NOWHERE) {
            return false;
        }
        LiveChunk chunk = chunks.chunk(place);
        int slot = ChunkList.slot(place);
        if (chunk.message(slot) == null) {
            chunk.setMessage(slot, message);
            resident++;
            residentBytes += message.memoryBytes();
        }
        return true;
    }

    /** Lets a message go from memory. @return false when the id is not held, or has no position to read it from */
    public boolean detach(MessageId id) {
        long place = chunks.locate(id.epoch(), id.index());
        return place != ChunkList.NOWHERE && detach(chunks.chunk(place), ChunkList.slot(place));
    }

    private boolean detach(LiveChunk chunk, int slot) {
        Message message = chunk.message(slot);
        if (chunk.position(slot) == LiveMessage.NO_POSITION) {
            return false;
        }
        if (message != null) {
            chunk.detach(slot);
            resident--;
            residentBytes -= message.memoryBytes();
        }
        return true;
    }

    /** Marks a message as delivered before, wherever that was. */
    public void markRedelivered(MessageId id) {
        long place = chunks.locate(id.epoch(), id.index());
        if (place != ChunkList.NOWHERE) {
            chunks.chunk(place).raise(ChunkList.slot(place), LiveMessage.REDELIVERED);
        }
    }

    /** Marks what is held of the ids as delivered before. */
    void markRedelivered(IdRuns ids) {
        MessageCursor cursor = new MessageCursor();
        for (int run = 0; run < ids.count(); run++) {
            cursor.moveTo(ids.epoch(run), ids.first(run));
            while (find(cursor) && cursor.epoch == ids.epoch(run) && cursor.index <= ids.last(run)) {
                chunks.at(cursor.chunk).raise(cursor.slot, LiveMessage.REDELIVERED);
                skip(cursor);
            }
        }
    }

    public long count() {
        return count;
    }

    /** Bytes of bodies, in memory or not. */
    public long bytes() {
        return bytes;
    }

    public long persistentCount() {
        return persistent;
    }

    /** The timestamp property of the oldest message; null when it has none, or its properties are not in memory. */
    public @Nullable Long headTimestamp() {
        LiveMessage first = first();
        Message message = first == null ? null : first.message();
        return message == null ? null : MessageProperties.of(message).timestamp();
    }

    /** Bytes of the bodies of persistent messages. */
    public long persistentBytes() {
        return persistentBytes;
    }

    /** Messages in memory. */
    public long residentCount() {
        return resident;
    }

    /** Bytes that the messages in memory take. */
    public long residentBytes() {
        return residentBytes;
    }

    /** Messages that are not out for delivery. */
    public long readyCount() {
        return ready;
    }

    /** Bytes of the bodies that are not out for delivery. */
    public long readyBytes() {
        return readyBytes;
    }

    // The leader's side: cursors, and which messages are out for delivery.

    /** Moves the cursor to the first message at or after it. @return false when there is none */
    boolean find(MessageCursor cursor) {
        return chunks.find(cursor, false);
    }

    /** Moves the cursor to the first message at or after it that is not out. @return false when there is none */
    boolean findReady(MessageCursor cursor) {
        return chunks.find(cursor, true);
    }

    /** Moves a cursor that is at a message beyond it. */
    void skip(MessageCursor cursor) {
        cursor.slot++;
        cursor.index++;
    }

    /** Moves a cursor that is at a message beyond all of its chunk. */
    void skipChunk(MessageCursor cursor) {
        LiveChunk chunk = chunks.at(cursor.chunk);
        cursor.slot = chunk.count;
        cursor.index = chunk.lastIndex() + 1;
    }

    LiveChunk chunkAt(MessageCursor cursor) {
        return chunks.at(cursor.chunk);
    }

    /** The message at the cursor goes out for delivery. */
    void takeOut(MessageCursor cursor) {
        LiveChunk chunk = chunks.at(cursor.chunk);
        if (!chunk.isReady(cursor.slot)) {
            throw new IllegalStateException("a message is delivered twice");
        }
        chunk.raise(cursor.slot, LiveMessage.OUT);
        chunk.ready--;
        ready--;
        readyBytes -= chunk.bodyBytes(cursor.slot);
        readyByPriority.remove(chunk.priority(cursor.slot));
    }

    /** The highest priority of a ready message; 0 without any. */
    int topPriority() {
        return readyByPriority.top();
    }

    /** The priority of a message that is held, else 0. */
    int priority(MessageId id) {
        long place = chunks.locate(id.epoch(), id.index());
        return place == ChunkList.NOWHERE ? 0 : chunks.chunk(place).priority(ChunkList.slot(place));
    }

    /** The message is ready again. @return its priority, or {@link #NOT_OUT} when it is not held or was not out */
    int putBack(long epoch, long index, boolean isRedelivered) {
        long place = chunks.locate(epoch, index);
        if (place == ChunkList.NOWHERE) {
            return NOT_OUT;
        }
        LiveChunk chunk = chunks.chunk(place);
        int slot = ChunkList.slot(place);
        if (chunk.isReady(slot)) {
            return NOT_OUT;
        }
        chunk.lower(slot, LiveMessage.OUT);
        if (isRedelivered) {
            chunk.raise(slot, LiveMessage.REDELIVERED);
        }
        chunk.ready++;
        ready++;
        readyBytes += chunk.bodyBytes(slot);
        readyByPriority.add(chunk.priority(slot));
        return chunk.priority(slot);
    }

    boolean detach(MessageCursor cursor) {
        return detach(chunks.at(cursor.chunk), cursor.slot);
    }

    /** A message read back for delivery: it leaves memory again when it was delivered. */
    boolean attachForDelivery(MessageId id, Message message) {
        long place = chunks.locate(id.epoch(), id.index());
        if (place == ChunkList.NOWHERE || chunks.chunk(place).message(ChunkList.slot(place)) != null) {
            return false;
        }
        chunks.chunk(place).raise(ChunkList.slot(place), LiveMessage.READ_BACK);
        return attach(id, message);
    }

    /** A leadership starts: nothing is out. */
    void putAllBack() {
        MessageCursor cursor = new MessageCursor();
        while (find(cursor)) {
            LiveChunk chunk = chunks.at(cursor.chunk);
            if (!chunk.isReady(cursor.slot)) {
                putBack(cursor.epoch, cursor.index, false);
            }
            chunk.lower(cursor.slot, LiveMessage.READ_BACK);
            skip(cursor);
        }
    }
}
