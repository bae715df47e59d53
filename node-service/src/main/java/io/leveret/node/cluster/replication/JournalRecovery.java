package io.leveret.node.cluster.replication;

import io.leveret.node.broker.queue.CodecException;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.journal.RecoveryVisitor;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads all replicas back from the journal, in one pass over all streams. A stream that cannot be a state its replica ever had
 * is damaged: its replica begins again, empty, with what its peers have. One thread, once.
 */
final class JournalRecovery implements RecoveryVisitor {
    private static final Logger LOG = LoggerFactory.getLogger(JournalRecovery.class);

    /** What was found of one stream. */
    record Recovered(long generation, ReplicaState state) {}

    private static final class Stream {
        final long generation;
        final ReplicaState state;
        final ReplicaCheckpoint.@Nullable Restored restored;

        Stream(long generation, ReplicaState state, ReplicaCheckpoint.@Nullable Restored restored) {
            this.generation = generation;
            this.state = state;
            this.restored = restored;
        }
    }

    private final Map<Long, Stream> streams = new HashMap<>();
    private final Set<Long> damaged = new HashSet<>();

    /** What was found, by stream. */
    Map<Long, Recovered> finish() {
        Map<Long, Recovered> found = new HashMap<>();
        // A copy: those that turn out to be damaged are removed.
        Map.copyOf(streams).forEach((number, stream) -> {
            stream.state.recovered();
            if (hasLostMessages(stream.state)) {
                damaged(number, "messages of its checkpoint are in no record");
            } else {
                found.put(number, new Recovered(stream.generation, stream.state));
            }
        });
        return found;
    }

    /** Streams that are to be dropped: they were damaged. */
    Set<Long> damaged() {
        return damaged;
    }

    private static boolean hasLostMessages(ReplicaState state) {
        boolean[] hasLost = new boolean[1];
        state.queue().live().forEach(entry -> hasLost[0] |= entry.position() == LiveMessage.NO_POSITION);
        return hasLost[0];
    }

    @Override
    public void checkpoint(long stream, ByteBuffer content) {
        if (!content.hasRemaining()) {
            return; // of a queue that is not durable
        }
        try {
            byte[] bytes = new byte[content.remaining()];
            content.get(bytes);
            long generation = ByteBuffer.wrap(bytes).getLong();
            var restored = new ReplicaCheckpoint.Restored(bytes, Long.BYTES, bytes.length - Long.BYTES);
            streams.put(stream, new Stream(generation, restored.state(), restored));
        } catch (CodecException | IndexOutOfBoundsException | java.nio.BufferUnderflowException e) {
            damaged(stream, "checkpoint: " + e.getMessage());
        }
    }

    @Override
    public boolean stored(long stream, long position, int type, ByteBuffer meta, int payloadBytes) {
        Stream found = streams.get(stream);
        if (found == null || found.restored == null || type == ReplicaDisk.PAGED) {
            return false;
        }
        try {
            return found.restored.stored(ReplicaRecordCodec.entry(meta).id(), position);
        } catch (CodecException e) {
            damaged(stream, "record at " + position + ": " + e.getMessage());
            return false;
        }
    }

    @Override
    public void record(long stream, long position, int type, ByteBuffer payload) {
        if (type == ReplicaDisk.PAGED || damaged.contains(stream)) {
            return;
        }
        if (type == ReplicaDisk.BEGIN) {
            streams.put(stream, new Stream(payload.getLong(), new ReplicaState(true), null));
            return;
        }
        Stream found = streams.get(stream);
        if (found == null) {
            damaged(stream, "it does not begin with its generation");
            return;
        }
        try {
            found.state.recover(ReplicaRecordCodec.decode(payload), position);
        } catch (CodecException e) {
            damaged(stream, "record at " + position + ": " + e.getMessage());
        }
    }

    @Override
    public void dropped(long stream) {
        streams.remove(stream);
        damaged.remove(stream);
    }

    @Override
    public void damaged(long stream, String why) {
        LOG.error("the local replica of queue {} is damaged and begins anew: {}", stream, why);
        streams.remove(stream);
        damaged.add(stream);
    }
}
