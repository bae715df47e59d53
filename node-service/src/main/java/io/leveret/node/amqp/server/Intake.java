package io.leveret.node.amqp.server;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * What all publishers of a node have on its way: published, and not answered by every queue yet. That of channels and connections
 * that are gone counts until it is answered. Over the bound, or while the journal has more to write than it should, each connection
 * may go on only when it has nothing on its way: so none is stopped for ever, and all together fill no heap however many they are.
 *
 * <p>Bound of what is exceeded: one read of each connection, and {@link Share#STEP_BYTES} that each may keep to itself. Any
 * thread.
 */
final class Intake {
    private static final long BYTES_MOST = 32L << 20;
    private static final long BYTES_LEAST = 4L << 20;
    private static final int PART_OF_HEAP = 8;

    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();
    private final BooleanSupplier isCongested;

    /** @param isCongested whether the journal has more to write than it should */
    Intake(long bytesMax, BooleanSupplier isCongested) {
        this.bytesMax = bytesMax;
        this.isCongested = isCongested;
    }

    /** As fits a heap. */
    static long bytesMax(long heapBytesMax) {
        return Math.max(BYTES_LEAST, Math.min(BYTES_MOST, heapBytesMax / PART_OF_HEAP));
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
            if (untold >= STEP_BYTES || -untold >= STEP_BYTES || own == 0) {
                told = own;
                bytes.addAndGet(untold);
            }
        }

        boolean isOver() {
            return Intake.this.isOver();
        }
    }
}
