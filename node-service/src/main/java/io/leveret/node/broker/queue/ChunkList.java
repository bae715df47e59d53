package io.leveret.node.broker.queue;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of a queue in id order, never an empty one. They sit somewhere in a larger array, so that dropping the first is
 * O(1) and appending is O(1) amortised; a chunk is named by its place in that array. {@link #structure} grows whenever such
 * a name, or a slot below the end of a chunk, may mean something else than before.
 */
final class ChunkList {
    static final long NOWHERE = -1;

    /** A chunk this full of gone slots, or fuller, is worth compacting. */
    private static final int COMPACT_SLOTS_MIN = 64;
    /** An empty queue keeps a chunk for its next message only if it is small: there may be many empty queues. */
    private static final int SPARE_SLOTS_MAX = 64;

    /** An empty queue gives a larger directory back. */
    private static final int KEPT_CHUNKS_MAX = 64;

    private LiveChunk[] array = new LiveChunk[2];
    private int head;
    private int end;
    private int structure;
    private int lastFloor;
    private @Nullable LiveChunk spare;

    int head() {
        return head;
    }

    int end() {
        return end;
    }

    LiveChunk at(int at) {
        return array[at];
    }

    LiveChunk chunk(long place) {
        return array[(int) (place >>> 32)];
    }

    static int slot(long place) {
        return (int) place;
    }

    /** The place of a live message as chunk and slot, or {@link #NOWHERE}. */
    long locate(long epoch, long index) {
        int at = floor(epoch, index);
        if (at < head || array[at].epoch != epoch) {
            return NOWHERE;
        }
        int slot = array[at].find(index);
        return slot < 0 || !array[at].isLive(slot) ? NOWHERE : (long) at << 32 | slot;
    }

    /** The last chunk that starts at or before the id, or a value below {@link #head}. */
    int floor(long epoch, long index) {
        if (lastFloor >= head
                && lastFloor < end
                && startsBy(lastFloor, epoch, index)
                && (lastFloor + 1 == end || !startsBy(lastFloor + 1, epoch, index))) {
            return lastFloor;
        }
        int low = head;
        int high = end - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (startsBy(middle, epoch, index)) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        lastFloor = high;
        return high;
    }

    private boolean startsBy(int at, long epoch, long index) {
        LiveChunk chunk = array[at];
        return chunk.epoch < epoch || (chunk.epoch == epoch && chunk.firstIndex() <= index);
    }

    /** Moves the cursor to the first live (or ready) message at or after it; without one, to the end. */
    boolean find(MessageCursor cursor, boolean isReadyWanted) {
        if (head == end) {
            return false;
        }
        int at = cursor.chunk;
        int slot = cursor.slot;
        if (cursor.structure != structure) {
            at = Math.max(floor(cursor.epoch, cursor.index), head);
            slot = slotAtOrAfter(array[at], cursor.epoch, cursor.index);
        }
        while (true) {
            LiveChunk chunk = array[at];
            if ((isReadyWanted ? chunk.ready : chunk.live) > 0) {
                slot = Math.max(slot, chunk.first);
                while (slot < chunk.count && !(isReadyWanted ? isWanted(cursor, chunk, slot) : chunk.isLive(slot))) {
                    slot++;
                }
                if (slot < chunk.count) {
                    set(cursor, at, slot, chunk.indexAt(slot));
                    return true;
                }
            }
            if (at + 1 == end) {
                set(cursor, at, chunk.count, chunk.lastIndex() + 1);
                return false;
            }
            at++;
            slot = 0;
        }
    }

    private static boolean isWanted(MessageCursor cursor, LiveChunk chunk, int slot) {
        return chunk.isReady(slot) && (cursor.priority == MessageCursor.ANY || chunk.priority(slot) == cursor.priority);
    }

    private static int slotAtOrAfter(LiveChunk chunk, long epoch, long index) {
        if (chunk.epoch != epoch) {
            return chunk.epoch < epoch ? chunk.count : 0;
        }
        int slot = chunk.find(index);
        return slot < 0 ? -1 - slot : slot;
    }

    private void set(MessageCursor cursor, int at, int slot, long index) {
        cursor.chunk = at;
        cursor.slot = slot;
        cursor.epoch = array[at].epoch;
        cursor.index = index;
        cursor.structure = structure;
    }

    /** Finds or makes a slot for the message and fills it. @return its chunk, or null when the id is live already */
    @Nullable
    LiveChunk insert(LiveMessage entry) {
        long epoch = entry.id().epoch();
        long index = entry.id().index();
        if (head == end) {
            return newChunk(end, entry);
        }
        LiveChunk tail = array[end - 1];
        if (tail.epoch == epoch && index > tail.lastIndex() && hasRoom(tail, index)) {
            tail.insert(tail.count, entry);
            return tail;
        }
        int at = floor(epoch, index);
        if (at < head || array[at].epoch != epoch) {
            int behind = Math.max(head, at + 1);
            if (behind < end && array[behind].epoch == epoch && hasRoom(array[behind], index)) {
                structure++;
                array[behind].insert(0, entry);
                return array[behind];
            }
            return newChunk(behind, entry);
        }
        LiveChunk chunk = array[at];
        int slot = chunk.find(index);
        if (slot >= 0) {
            if (chunk.isLive(slot)) {
                return null;
            }
            chunk.fill(slot, entry);
            return chunk;
        }
        slot = -1 - slot;
        if (!hasRoom(chunk, index)) {
            if (slot == chunk.count) {
                return newChunk(at + 1, entry);
            }
            structure++;
            LiveChunk right = chunk.split(chunk.count / 2);
            tidyHalves(place(at + 1, right));
            return insert(entry);
        }
        chunk.insert(slot, entry);
        structure++;
        return chunk;
    }

    private static boolean hasRoom(LiveChunk chunk, long index) {
        return chunk.count < LiveChunk.SLOTS_MAX && chunk.reaches(index);
    }

    /** A half whose slots are all gone must not stay. */
    private void tidyHalves(int right) {
        LiveChunk left = array[right - 1];
        if (array[right].live == 0) {
            drop(right);
        } else if (left.live == 0) {
            drop(right - 1);
        }
    }

    private LiveChunk newChunk(int at, LiveMessage entry) {
        LiveChunk chunk = spare;
        spare = null;
        boolean isGrowing = at > head && at == end && array[at - 1].count == LiveChunk.SLOTS_MAX;
        if (chunk == null || isGrowing) {
            int slots = isGrowing ? LiveChunk.SLOTS_MAX : LiveChunk.SLOTS_MIN;
            chunk = new LiveChunk(entry.id().epoch(), entry.id().index(), slots);
        } else {
            chunk.reuse(entry.id().epoch(), entry.id().index());
        }
        chunk.insert(0, entry);
        place(at, chunk);
        return chunk;
    }

    /** Puts a chunk before the one at a place. @return where it is now */
    private int place(int at, LiveChunk chunk) {
        if (at == end && head < end && end < array.length) {
            array[end++] = chunk;
            return at;
        }
        structure++;
        if (at == head && head > 0) {
            array[--head] = chunk;
            return head;
        }
        int to = at;
        if (end == array.length) {
            to = at - head;
            makeRoom();
            to += head;
        }
        System.arraycopy(array, to, array, to + 1, end - to);
        array[to] = chunk;
        end++;
        return to;
    }

    /** Moves the chunks so that there is room on both sides: new ones mostly come at the end, merged ones at the front. */
    private void makeRoom() {
        int size = end - head;
        LiveChunk[] target = size > array.length / 2 ? new LiveChunk[2 * array.length] : array;
        int newHead = (target.length - size) / 8;
        System.arraycopy(array, head, target, newHead, size);
        if (target == array) {
            Arrays.fill(array, Math.max(head, newHead + size), end, null);
        }
        array = target;
        head = newHead;
        end = newHead + size;
    }

    /** Drops the chunk when it is empty, compacts it when it is mostly gone. @return the place of the chunk behind it */
    int tidy(int at) {
        LiveChunk chunk = array[at];
        if (chunk.live == 0) {
            return drop(at);
        }
        if (at + 1 < end && chunk.count >= COMPACT_SLOTS_MIN && chunk.live <= chunk.count / 4) {
            chunk.compact();
            structure++;
        }
        return at + 1;
    }

    private int drop(int at) {
        LiveChunk chunk = array[at];
        structure++;
        if (chunk.slots() <= SPARE_SLOTS_MAX) {
            spare = chunk;
        }
        if (at - head <= end - 1 - at) {
            System.arraycopy(array, head, array, head + 1, at - head);
            array[head++] = null;
            at++;
        } else {
            System.arraycopy(array, at + 1, array, at, end - 1 - at);
            array[--end] = null;
        }
        if (head == end) {
            head = 0;
            end = 0;
            at = 0;
            array = array.length > KEPT_CHUNKS_MAX ? new LiveChunk[2] : array;
        }
        return at;
    }
}
