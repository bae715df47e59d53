package io.leveret.node.amqp.server;

import io.leveret.node.runtime.SerialExecutor;

/**
 * The half messages of one connection, over all its channels. Small ones are taken as they come, up to {@link #SMALL_BYTES_MAX}
 * together; a larger one asks for room ({@link LargeBodies}), and the connection is not read until it is answered. One that has
 * asked for another already does not wait, for it would wait for itself: its channels take turns on one socket. Owned by the
 * connection's loop.
 */
final class AssemblyRoom {
    /** A body up to here is small. */
    static final int SMALL_BODY_BYTES = 1 << 20;

    static final long SMALL_BYTES_MAX = 8L << 20;

    private final LargeBodies bodies;
    private final SerialExecutor executor;
    private final ReadingGate reading;
    private long smallBytes;
    private int claims;

    AssemblyRoom(LargeBodies bodies, SerialExecutor executor, ReadingGate reading) {
        this.bodies = bodies;
        this.executor = executor;
        this.reading = reading;
    }

    /** What a channel does when its body is answered. */
    interface Guest {
        /** It may come. */
        void bodyMayCome();

        /** There is no room for it now. */
        void bodyIsTooMuch();
    }

    /** A body of that length is announced. It is given back when it is complete, or will never be. */
    Stay enter(int bytes, Guest guest) {
        if (bytes <= SMALL_BODY_BYTES && smallBytes + bytes <= SMALL_BYTES_MAX) {
            smallBytes += bytes;
            return () -> smallBytes -= bytes;
        }
        return new Large(bytes, guest);
    }

    /** The room of one body. */
    @FunctionalInterface
    interface Stay {
        /** Nothing is there. */
        Stay NONE = () -> {};

        void leave();
    }

    private final class Large implements Stay, LargeBodies.Claimant {
        private final Guest guest;
        private final LargeBodies.Claim claim;
        private boolean isAnswered;
        private boolean isGone;

        Large(int bytes, Guest guest) {
            this.guest = guest;
            reading.awaitRoom(true);
            claims++;
            claim = bodies.claim(bytes, claims == 1, this);
        }

        @Override
        public SerialExecutor executor() {
            return executor;
        }

        @Override
        public void granted() {
            if (answer()) {
                guest.bodyMayCome();
            }
        }

        @Override
        public void refused() {
            if (answer()) {
                guest.bodyIsTooMuch();
            }
        }

        private boolean answer() {
            if (isAnswered) {
                return false;
            }
            isAnswered = true;
            reading.awaitRoom(false);
            return !isGone;
        }

        @Override
        public void leave() {
            if (!isGone) {
                isGone = true;
                claims--;
                answer();
                claim.giveBack();
            }
        }
    }
}
