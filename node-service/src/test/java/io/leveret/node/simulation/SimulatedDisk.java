package io.leveret.node.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A node's journal: records by replica. A crash keeps what was fsynced and any number of the records after it. */
final class SimulatedDisk {
    /** A replica's files. */
    record Stream(long incarnation, long generation) {}

    private static final class Records {
        final List<byte[]> written = new ArrayList<>();
        int synced;
        byte @Nullable [] checkpoint;
        int covered;
    }

    private final Map<Stream, Records> streams = new HashMap<>();

    /** @return the position of the record */
    int append(Stream stream, byte[] record) {
        Records records = streams.computeIfAbsent(stream, each -> new Records());
        records.written.add(record);
        return records.written.size();
    }

    void fsync() {
        streams.values().forEach(each -> each.synced = each.written.size());
    }

    /** Old records are let go: their effect is in the checkpoint, and where their messages are. */
    void checkpoint(Stream stream, byte[] checkpoint) {
        Records records = streams.get(stream);
        if (records != null) {
            records.synced = records.written.size();
            records.checkpoint = checkpoint;
            records.covered = records.synced;
        }
    }

    byte @Nullable [] checkpoint(Stream stream) {
        return streams.get(stream).checkpoint;
    }

    /** Records that the checkpoint covers. */
    int covered(Stream stream) {
        return streams.get(stream).covered;
    }

    /** Records on disk. */
    int synced(Stream stream) {
        Records records = streams.get(stream);
        return records == null ? 0 : records.synced;
    }

    List<byte[]> records(Stream stream) {
        Records records = streams.get(stream);
        return records == null ? List.of() : records.written;
    }

    byte[] read(Stream stream, long position) {
        return streams.get(stream).written.get((int) position - 1);
    }

    List<Stream> streams() {
        List<Stream> all = new ArrayList<>(streams.keySet());
        all.sort((a, b) -> a.incarnation != b.incarnation
                ? Long.compare(a.incarnation, b.incarnation)
                : Long.compare(a.generation, b.generation));
        return all;
    }

    void delete(Stream stream) {
        streams.remove(stream);
    }

    void wipe() {
        streams.clear();
    }

    /** The process ended without notice. */
    void crash(Random random) {
        for (Stream each : streams()) {
            Records records = streams.get(each);
            int unsynced = records.written.size() - records.synced;
            int lost = unsynced == 0
                    ? 0
                    : switch (random.nextInt(3)) {
                        case 0 -> unsynced;
                        case 1 -> 0;
                        default -> random.nextInt(unsynced + 1);
                    };
            while (lost-- > 0) {
                records.written.remove(records.written.size() - 1);
            }
            records.synced = records.written.size();
        }
    }
}
