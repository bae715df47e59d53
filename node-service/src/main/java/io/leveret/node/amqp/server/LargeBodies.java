package io.leveret.node.amqp.server;

import io.leveret.node.runtime.SerialExecutor;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

/**
 * Room for the bodies of a node that are too large to be taken without asking, from their header until they are published.
 *
 * <pre>
 * asked ──(there is room, or nothing large is under way)──► granted ──► given back
 *   └──(may not wait · no room for {@link #WAIT_NANOS_MAX})──► refused
 * </pre>
 *
 * Those that wait are served in the order they came. One body may be larger than all the room: it is taken alone. What was
 * published and is not answered counts, too. Owned by one executor; the others hand over to it.
 */
final class LargeBodies {
    static final long WAIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int LOOKS_MAX = (int) (WAIT_NANOS_MAX / LOOK_NANOS);
    /** Each is there up to three times (as it comes, as the journal writes it, as a segment takes it), and three nodes may lead to one. */
    private static final int PART_OF_HEAP = 16;

    private final long bytesMax;
    private final Intake intake;
    private final SerialExecutor executor;
    private final ArrayDeque<Claim> waiting = new ArrayDeque<>();
    private long granted;
    private boolean isLooking;

    LargeBodies(long bytesMax, Intake intake, SerialExecutor executor) {
        this.bytesMax = bytesMax;
        this.intake = intake;
        this.executor = executor;
    }

    /** As fits a heap. */
    static long bytesMax(long heapBytesMax) {
        return heapBytesMax / PART_OF_HEAP;
    }

    /** Hears what became of a claim, on its own executor, once and later than it asked; perhaps after it was given back. */
    interface Claimant {
        SerialExecutor executor();

        void granted();

        void refused();
    }

    /**
     * Asks for room. Any thread.
     *
     * @param mayWait false for a connection that would wait for itself
     */
    Claim claim(long bytes, boolean mayWait, Claimant claimant) {
        Claim claim = new Claim(bytes, claimant);
        executor.run(() -> {
            if (waiting.isEmpty() && isRoomFor(bytes)) {
                claim.grant();
            } else if (mayWait) {
                waiting.add(claim);
                look();
            } else {
                claim.refuse();
            }
        });
        return claim;
    }

    private boolean isRoomFor(long bytes) {
        long taken = granted + intake.bytes();
        return taken + bytes <= bytesMax || (granted == 0 && taken <= bytesMax / 2);
    }

    /** Room comes with answers, which nobody tells here: while somebody waits it is looked for. */
    private void look() {
        if (!isLooking && !waiting.isEmpty()) {
            isLooking = true;
            executor.schedule(
                    () -> {
                        isLooking = false;
                        serve();
                        look();
                    },
                    LOOK_NANOS);
        }
    }

    private void serve() {
        while (!waiting.isEmpty() && isRoomFor(waiting.element().bytes)) {
            waiting.remove().grant();
        }
        for (Iterator<Claim> each = waiting.iterator(); each.hasNext(); ) {
            Claim claim = each.next();
            if (++claim.looks > LOOKS_MAX) {
                each.remove();
                claim.refuse();
            }
        }
    }

    /** Room for one body. */
    final class Claim {
        private final long bytes;
        private final Claimant claimant;
        private int looks;
        private boolean isGranted;
        private boolean isGivenBack;

        private Claim(long bytes, Claimant claimant) {
            this.bytes = bytes;
            this.claimant = claimant;
        }

        private void grant() {
            if (!isGivenBack) {
                isGranted = true;
                granted += bytes;
                claimant.executor().execute(claimant::granted);
            }
        }

        private void refuse() {
            claimant.executor().execute(claimant::refused);
        }

        /** It is not needed any more. Any thread; any number of times. */
        void giveBack() {
            executor.run(() -> {
                if (!isGivenBack) {
                    isGivenBack = true;
                    waiting.remove(this);
                    if (isGranted) {
                        granted -= bytes;
                        serve();
                    }
                }
            });
        }
    }
}
