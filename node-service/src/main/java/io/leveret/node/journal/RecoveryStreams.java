package io.leveret.node.journal;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** What a recovery knows of each stream so far; decides which call of the visitor a record is worth. */
final class RecoveryStreams {
    private static final class State {
        /** Records below are part of the checkpoint. */
        long through = Journal.NOWHERE;
        /** What is below belongs to an earlier, dropped stream of this number. */
        long born = Journal.NOWHERE;

        /** Copies made before this belong to an earlier stream of this number, too. */
        long since = Journal.NOWHERE;

        long droppedAt = Journal.NOWHERE;
        boolean isDamaged;
    }

    private final RecoveryVisitor visitor;
    private final Map<Long, State> states = new HashMap<>();
    /** Why all streams count as damaged; empty when they do not. */
    private String wholeDamage = "";

    private long records;
    private long stored;
    private int damagedStreams;

    RecoveryStreams(RecoveryVisitor visitor) {
        this.visitor = visitor;
    }

    private State state(long stream) {
        State state = states.get(stream);
        if (state == null) {
            state = new State();
            states.put(stream, state);
            if (!wholeDamage.isEmpty()) {
                damage(stream, state, wholeDamage);
            }
        }
        return state;
    }

    /** The manifest remembers that the stream was dropped there. */
    void droppedBefore(long stream, long position) {
        State state = state(stream);
        state.droppedAt = position;
        state.born = position;
    }

    void checkpoint(long stream, Manifest.Checkpoint checkpoint, ByteBuffer payload) {
        State state = state(stream);
        state.through = checkpoint.through();
        state.since = checkpoint.since();
        if (!state.isDamaged) {
            visitor.checkpoint(stream, payload);
        }
    }

    /** An entry of a segment's index; stamp: the end of the log when it was copied. */
    boolean inSegment(long stream, long stamp, long position, int type, ByteBuffer meta, int payloadBytes) {
        State state = states.get(stream);
        // Without a checkpoint nothing can be live here: it was dropped.
        if (state == null || state.isDamaged || state.through == Journal.NOWHERE || stamp < state.since) {
            return false;
        }
        stored++;
        return visitor.stored(stream, position, type, meta, payloadBytes);
    }

    void inLog(long position, FileWindow window, ByteBuffer payload) {
        State state = state(window.stream());
        if (state.isDamaged || position < state.born) {
            return;
        }
        if (position >= state.through) {
            records++;
            visitor.record(window.stream(), position, window.type(), payload);
        } else if (window.metaBytes() > 0) {
            stored++;
            int bytes = payload.remaining();
            payload.limit(payload.position() + window.metaBytes());
            visitor.stored(window.stream(), position, window.type(), payload, bytes);
        }
    }

    void drop(long stream, long position) {
        State state = state(stream);
        if (position < state.through) {
            return;
        }
        state.droppedAt = position;
        state.born = position;
        state.through = Journal.NOWHERE;
        state.isDamaged = false;
        visitor.dropped(stream);
    }

    /** Records of the stream near this position are damaged. */
    void damage(long stream, long position, String why) {
        State state = state(stream);
        if (position >= state.born && !state.isDamaged) {
            damage(stream, state, why);
        }
    }

    /** Damage that may be anybody's. */
    void damageAll(String why) {
        wholeDamage = why;
        states.forEach((stream, state) -> {
            if (!state.isDamaged) {
                damage(stream, state, why);
            }
        });
    }

    private void damage(long stream, State state, String why) {
        state.isDamaged = true;
        damagedStreams++;
        visitor.damaged(stream, why);
    }

    /** Where each stream was last dropped in the log. */
    Map<Long, Long> drops() {
        Map<Long, Long> drops = new HashMap<>();
        states.forEach((stream, state) -> {
            if (state.droppedAt != Journal.NOWHERE) {
                drops.put(stream, state.droppedAt);
            }
        });
        return drops;
    }

    RecoveryReport report(long cutBytes) {
        return new RecoveryReport(!wholeDamage.isEmpty(), records, stored, damagedStreams, cutBytes);
    }
}
