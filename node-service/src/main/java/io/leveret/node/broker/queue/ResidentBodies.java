package io.leveret.node.broker.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/**
 * Keeps what the bodies of one replica take in memory within what the node's budget leaves to it, by letting go of those that
 * the journal has on disk. On leaders and on mirrors. What is next to be delivered stays longest: a sweep starts behind the
 * oldest bodies, up to half of what is allowed, and goes on from there as new messages come and become durable.
 *
 * <p>Owned by the queue's executor. A call does bounded work.
 */
public final class ResidentBodies {
    /** Messages looked at in one call: some tens of microseconds. */
    private static final int LOOKED_AT_MAX = 4096;
    /** A sweep that ended without reaching the limit is not begun again before so many calls. */
    private static final int CALLS_BETWEEN_SWEEPS = 64;
    /** What a lazy queue keeps: a batch or two, so that a consumer that keeps up needs no disk. */
    private static final long LAZY_BYTES_MAX = 128 * 1024;

    private final LiveMessages live;
    private final MemoryBudget budget;
    private final LongPredicate isReadable;
    private final MessageCursor sweep = new MessageCursor();
    private final MessageCursor unplaced = new MessageCursor();
    private long kept;
    private boolean isKeeping = true;
    private int callsToWait;
    private boolean isLazy;
    private long reported;

    /** @param isReadable whether the journal has a position on disk */
    public ResidentBodies(LiveMessages live, MemoryBudget budget, LongPredicate isReadable) {
        this.live = live;
        this.budget = budget;
        this.isReadable = isReadable;
    }

    /** A lazy queue keeps next to nothing in memory. */
    public void setLazy(boolean isLazy) {
        this.isLazy = isLazy;
    }

    /** Whether the replica holds more than it should: then messages without a position should get one, too. */
    public boolean isOver() {
        return live.residentBytes() > bytesMax();
    }

    private long bytesMax() {
        long allowed = budget.queueBytesMax();
        return isLazy ? Math.min(allowed, LAZY_BYTES_MAX) : allowed;
    }

    /** Reports what is held and lets go of what is too much. Called after batches of events and when the disk has more. */
    public void trim() {
        report();
        long bytesMax = bytesMax();
        int looks = LOOKED_AT_MAX;
        while (live.residentBytes() > bytesMax && looks-- > 0) {
            if (callsToWait > 0) {
                callsToWait--;
                break;
            }
            if (!live.find(sweep)) {
                startAgain();
                break;
            }
            if (live.chunkAt(sweep).resident == 0) {
                live.skipChunk(sweep);
                continue;
            }
            if (!letGo(bytesMax)) {
                break;
            }
            live.skip(sweep);
        }
        report();
    }

    /** Looks at one message. @return false to wait here until the disk has it */
    private boolean letGo(long bytesMax) {
        LiveChunk chunk = live.chunkAt(sweep);
        int slot = sweep.slot;
        var message = chunk.message(slot);
        if (message == null || chunk.has(slot, LiveMessage.READ_BACK)) {
            return true;
        }
        if (isKeeping) {
            kept += message.memoryBytes();
            isKeeping = kept <= bytesMax / 2;
            if (isKeeping) {
                return true;
            }
        }
        long position = chunk.position(slot);
        if (position == LiveMessage.NO_POSITION) {
            return true;
        }
        if (!isReadable.test(position)) {
            return false;
        }
        live.detach(sweep);
        return true;
    }

    private void startAgain() {
        sweep.moveTo(0, 0);
        kept = 0;
        isKeeping = true;
        callsToWait = CALLS_BETWEEN_SWEEPS;
    }

    /**
     * The next messages in memory that have no position, for the journal to be given them; each is returned once, unless
     * the end was reached in between.
     */
    public List<LiveMessage> unplaced(long bytesMax) {
        List<LiveMessage> found = new ArrayList<>();
        long bytes = 0;
        for (int looks = LOOKED_AT_MAX; looks > 0 && bytes < bytesMax; looks--) {
            if (!live.find(unplaced)) {
                unplaced.moveTo(0, 0);
                break;
            }
            LiveChunk chunk = live.chunkAt(unplaced);
            if (chunk.resident == 0) {
                live.skipChunk(unplaced);
                continue;
            }
            var message = chunk.message(unplaced.slot);
            if (message != null && chunk.position(unplaced.slot) == LiveMessage.NO_POSITION) {
                found.add(chunk.entry(unplaced.slot));
                bytes += message.memoryBytes();
            }
            live.skip(unplaced);
        }
        return found;
    }

    /** The replica goes away: its share is free. */
    public void close() {
        budget.changed(reported, 0);
        reported = 0;
    }

    private void report() {
        long now = live.residentBytes();
        if (now != reported) {
            budget.changed(reported, now);
            reported = now;
        }
    }
}
