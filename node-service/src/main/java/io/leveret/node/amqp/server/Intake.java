package io.leveret.node.amqp.server;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * What all publishers of a node have on its way: published, and not answered by every queue yet. That of channels and connections
 * that are gone counts until it is answered. Over the bound, or while the journal has more to write than it should, each connection
 * may go on only when it has nothing on its way: so none is stopped for ever, and all together fill no heap however many they are.
 *
 * <p>Bound of what is exceeded: one read of each connection, and {@link Share#STEP_BYTES} that each may keep to itself. What
 * transactions hold until their commits is bounded on its own, and exceeds that by nothing. Any thread.
 */
final class Intake {
    private static final long BYTES_MOST = 32L << 20;
    private static final long BYTES_LEAST = 4L << 20;
    private static final int PART_OF_HEAP = 8;

    private final long bytesMax;
    private final long heldMax;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong held = new AtomicLong();
    private final BooleanSupplier isCongested;

    /**
     * @param bytesMax on their way
     * @param heldMax bytes held for commits
     * @param isCongested whether the journal has more to write than it should
     */
    Intake(long bytesMax, long heldMax, BooleanSupplier isCongested) {
        this.bytesMax = bytesMax;
        this.heldMax = heldMax;
        this.isCongested = isCongested;
    }

    /** As fits a heap. */
    static Intake of(long heapBytesMax, BooleanSupplier isCongested) {
        long part = heapBytesMax / PART_OF_HEAP;
        return new Intake(Math.max(BYTES_LEAST, Math.min(BYTES_MOST, part)), part, isCongested);
    }

    boolean isOver() {
        return bytes.get() > bytesMax || isCongested.getAsBoolean();
    }

    long bytes() {
        return bytes.get();
    }

    Share share() {
        return new Share();
    }

    /** The part of one connection, in steps, so that loops do not contend for every message. Owned by the connection's loop. */
    final class Share {
        static final long STEP_BYTES = 16 << 10;

        private long own;
        private long told;

        void add(long more) {
            own += more;
            tell();
        }

        void remove(long less) {
            own -= less;
            tell();
        }

        private void tell() {
            long untold = own - told;
            if (untold >= STEP_BYTES || -untold >= STEP_BYTES || (own == 0 && untold != 0)) {
                told = own;
                bytes.addAndGet(untold);
            }
        }

        /** @return false when there is no room for it: nothing is held then */
        boolean hold(long more) {
            long before = held.getAndAdd(more);
            boolean isRoom = before == 0 || before + more <= heldMax;
            if (!isRoom) {
                held.addAndGet(-more);
            }
            return isRoom;
        }

        void release(long less) {
            held.addAndGet(-less);
        }

        long heldMax() {
            return heldMax;
        }

        boolean isOver() {
            return Intake.this.isOver();
        }
    }
}
