package io.leveret.node.broker.queue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much the bodies of all queues of a node may take in memory. Below half of it nobody needs to care; above, each queue
 * that holds much may keep an equal share of that half. Any thread.
 */
public final class MemoryBudget {
    /** A queue that keeps less is not counted as holding much: it could give little. */
    static final long QUEUE_BYTES_MIN = 256 * 1024;

    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger holders = new AtomicInteger();

    public MemoryBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Bytes held now. */
    public long bytes() {
        return bytes.get();
    }

    public long bytesMax() {
        return bytesMax;
    }

    /** What one queue may hold now. */
    public long queueBytesMax() {
        if (bytes.get() <= bytesMax / 2) {
            return Long.MAX_VALUE;
        }
        return Math.max(QUEUE_BYTES_MIN, bytesMax / 2 / Math.max(1, holders.get()));
    }

    /** A queue that held {@code before} holds {@code after}. */
    void changed(long before, long after) {
        bytes.addAndGet(after - before);
        int change = (after > QUEUE_BYTES_MIN ? 1 : 0) - (before > QUEUE_BYTES_MIN ? 1 : 0);
        if (change != 0) {
            holders.addAndGet(change);
        }
    }
}
