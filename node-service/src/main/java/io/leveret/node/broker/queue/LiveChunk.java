package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Up to {@link #SLOTS_MAX} messages of one epoch in id order, field by field in arrays: 17 bytes a message, 4 more while
 * bodies are in memory, 1 and 8 more when priorities and deadlines are in use. A removed message leaves its slot behind,
 * marked gone, until the chunk is compacted or dropped.
 */
final class LiveChunk {
    static final int SLOTS_MAX = 512;
    static final int SLOTS_MIN = 8;

    long epoch;
    /** Slot offsets count from here. */
    private long base;
    /** Slots in use, gone ones included. */
    int count;
    /** Every slot below is gone. */
    int first;

    int live;
    /** Live and not out for delivery. */
    int ready;
    /** With the message in memory. */
    int resident;

    private int[] offsets;
    private long[] positions;
    private int[] sizes;
    private byte[] flags;
    private byte @Nullable [] priorities;
    private long @Nullable [] deadlines;
    private @Nullable Message @Nullable [] messages;

    LiveChunk(long epoch, long base, int slots) {
        this.epoch = epoch;
        this.base = base;
        offsets = new int[slots];
        positions = new long[slots];
        sizes = new int[slots];
        flags = new byte[slots];
    }

    /** Makes an emptied chunk ready for other messages. */
    void reuse(long newEpoch, long newBase) {
        epoch = newEpoch;
        base = newBase;
        count = 0;
        first = 0;
        priorities = null;
        deadlines = null;
    }

    int slots() {
        return offsets.length;
    }

    long indexAt(int slot) {
        return base + offsets[slot];
    }

    /** Index of the first slot in use, gone or not. Not for an empty chunk. */
    long firstIndex() {
        return base + offsets[0];
    }

    /** Index of the last slot in use, gone or not. Not for an empty chunk. */
    long lastIndex() {
        return base + offsets[count - 1];
    }

    /** Whether the offset of the index can be written in this chunk. */
    boolean reaches(long index) {
        long offset = index - base;
        return offset >= Integer.MIN_VALUE && offset <= Integer.MAX_VALUE;
    }

    boolean isLive(int slot) {
        return (flags[slot] & LiveMessage.GONE) == 0;
    }

    boolean isReady(int slot) {
        return (flags[slot] & (LiveMessage.GONE | LiveMessage.OUT)) == 0;
    }

    boolean has(int slot, int flag) {
        return (flags[slot] & flag) != 0;
    }

    void raise(int slot, int flag) {
        flags[slot] = (byte) (flags[slot] | flag);
    }

    void lower(int slot, int flag) {
        flags[slot] = (byte) (flags[slot] & ~flag);
    }

    int flags(int slot) {
        return flags[slot];
    }

    long position(int slot) {
        return positions[slot];
    }

    void setPosition(int slot, long position) {
        positions[slot] = position;
    }

    int bodyBytes(int slot) {
        return sizes[slot];
    }

    int priority(int slot) {
        return priorities == null ? 0 : priorities[slot] & 0xff;
    }

    long deadline(int slot) {
        return deadlines == null ? LiveMessage.NEVER : deadlines[slot];
    }

    @Nullable
    Message message(int slot) {
        return messages == null ? null : messages[slot];
    }

    void setMessage(int slot, @Nullable Message message) {
        boolean isThere = messages != null && messages[slot] != null;
        if (message == null) {
            if (isThere && messages != null) {
                messages[slot] = null;
                resident--;
            }
            return;
        }
        if (messages == null) {
            messages = new Message[offsets.length];
        }
        messages[slot] = message;
        resident += isThere ? 0 : 1;
    }

    /** Lets the message go from memory; with the last one of the chunk goes their array. */
    void detach(int slot) {
        setMessage(slot, null);
        if (resident == 0) {
            messages = null;
        }
    }

    /** The slot of the index, gone or not; or {@code -1 - slot} where it would be inserted. */
    int find(long index) {
        if (count == 0) {
            return -1;
        }
        // Ids of a chunk are mostly neighbours: try the slot where the id is if none is missing.
        long guess = index - firstIndex();
        if (guess >= 0 && guess < count && indexAt((int) guess) == index) {
            return (int) guess;
        }
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            long found = indexAt(middle);
            if (found == index) {
                return middle;
            }
            if (found < index) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1 - low;
    }

    /** Puts the message into a new slot; there is room. The counts of the chunk are the caller's. */
    void insert(int slot, LiveMessage entry) {
        if (count == offsets.length) {
            resize(Math.min(SLOTS_MAX, 2 * count));
        }
        if (slot < count) {
            shift(slot);
        }
        count++;
        first = Math.min(first, slot);
        offsets[slot] = (int) (entry.id().index() - base);
        flags[slot] = LiveMessage.GONE;
        fill(slot, entry);
    }

    /** Puts the message into a slot that is gone. */
    void fill(int slot, LiveMessage entry) {
        positions[slot] = entry.position();
        sizes[slot] = entry.bodyBytes();
        flags[slot] = (byte) (entry.flags() & LiveMessage.KEPT);
        if (entry.priority() != 0 && priorities == null) {
            priorities = new byte[offsets.length];
        }
        if (priorities != null) {
            priorities[slot] = (byte) entry.priority();
        }
        if (entry.expiresAtMillis() != LiveMessage.NEVER && deadlines == null) {
            deadlines = new long[offsets.length];
            Arrays.fill(deadlines, LiveMessage.NEVER);
        }
        if (deadlines != null) {
            deadlines[slot] = entry.expiresAtMillis();
        }
        first = Math.min(first, slot);
        setMessage(slot, entry.message());
    }

    LiveMessage entry(int slot) {
        return new LiveMessage(
                new MessageId(epoch, indexAt(slot)),
                positions[slot],
                sizes[slot],
                flags[slot] & LiveMessage.KEPT,
                priority(slot),
                deadline(slot),
                message(slot));
    }

    /** Marks the slot gone and lets its message go. */
    void clear(int slot) {
        setMessage(slot, null);
        flags[slot] = LiveMessage.GONE;
        if (slot == first) {
            while (first < count && !isLive(first)) {
                first++;
            }
        }
    }

    /** Throws gone slots out and gives memory back. */
    void compact() {
        int kept = 0;
        for (int slot = first; slot < count; slot++) {
            if (isLive(slot)) {
                copy(slot, kept++);
            }
        }
        if (messages != null) {
            Arrays.fill(messages, kept, count, null);
        }
        count = kept;
        first = 0;
        resize(Math.max(SLOTS_MIN, kept));
    }

    /** Moves the slots from..count into a new chunk. The counts of both chunks are recounted. */
    LiveChunk split(int from) {
        LiveChunk right = new LiveChunk(epoch, indexAt(from), offsets.length);
        right.count = count - from;
        for (int slot = from; slot < count; slot++) {
            int to = slot - from;
            right.offsets[to] = (int) (indexAt(slot) - right.base);
            right.take(to, this, slot);
            setMessage(slot, null);
        }
        count = from;
        recount();
        right.recount();
        return right;
    }

    private void recount() {
        live = 0;
        ready = 0;
        resident = 0;
        first = count;
        for (int slot = count - 1; slot >= 0; slot--) {
            live += isLive(slot) ? 1 : 0;
            ready += isReady(slot) ? 1 : 0;
            resident += message(slot) != null ? 1 : 0;
            first = isLive(slot) ? slot : first;
        }
    }

    private void take(int slot, LiveChunk other, int from) {
        positions[slot] = other.positions[from];
        sizes[slot] = other.sizes[from];
        flags[slot] = other.flags[from];
        if (other.priorities != null) {
            priorities = priorities == null ? new byte[offsets.length] : priorities;
            priorities[slot] = other.priorities[from];
        }
        if (other.deadlines != null) {
            deadlines = deadlines == null ? new long[offsets.length] : deadlines;
            deadlines[slot] = other.deadlines[from];
        }
        Message message = other.message(from);
        if (message != null) {
            setMessage(slot, message);
        }
    }

    private void copy(int from, int to) {
        offsets[to] = offsets[from];
        positions[to] = positions[from];
        sizes[to] = sizes[from];
        flags[to] = flags[from];
        if (priorities != null) {
            priorities[to] = priorities[from];
        }
        if (deadlines != null) {
            deadlines[to] = deadlines[from];
        }
        if (messages != null) {
            messages[to] = messages[from];
        }
    }

    private void shift(int slot) {
        int moved = count - slot;
        System.arraycopy(offsets, slot, offsets, slot + 1, moved);
        System.arraycopy(positions, slot, positions, slot + 1, moved);
        System.arraycopy(sizes, slot, sizes, slot + 1, moved);
        System.arraycopy(flags, slot, flags, slot + 1, moved);
        if (priorities != null) {
            System.arraycopy(priorities, slot, priorities, slot + 1, moved);
        }
        if (deadlines != null) {
            System.arraycopy(deadlines, slot, deadlines, slot + 1, moved);
        }
        if (messages != null) {
            System.arraycopy(messages, slot, messages, slot + 1, moved);
            messages[slot] = null;
        }
    }

    private void resize(int slots) {
        offsets = Arrays.copyOf(offsets, slots);
        positions = Arrays.copyOf(positions, slots);
        sizes = Arrays.copyOf(sizes, slots);
        flags = Arrays.copyOf(flags, slots);
        priorities = priorities == null ? null : Arrays.copyOf(priorities, slots);
        deadlines = deadlines == null ? null : Arrays.copyOf(deadlines, slots);
        messages = messages == null ? null : Arrays.copyOf(messages, slots);
    }
}
