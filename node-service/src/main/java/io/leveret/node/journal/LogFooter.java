package io.leveret.node.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The record behind the last one of a complete log file: how many records of each stream the file holds. */
final class LogFooter {
    private static final int ENTRY_BYTES = Long.BYTES + Integer.BYTES;

    private LogFooter() {}

    static void write(WalFile file) throws IOException {
        long[] streams = file.streams.streams();
        int length = RecordFraming.HEADER_BYTES + streams.length * ENTRY_BYTES;
        ByteBuffer bytes = ByteBuffer.allocate(RecordFraming.aligned(length));
        RecordFraming.putHeader(bytes, 0, length, 0, RecordFraming.FOOTER, 0);
        bytes.position(RecordFraming.HEADER_BYTES);
        for (long stream : streams) {
            bytes.putLong(stream).putInt(file.streams.count(stream));
        }
        RecordFraming.seal(bytes, 0, file.end);
        file.file.write(bytes.clear(), Positions.offset(file.end));
    }

    /** Count by stream; null when there is no whole footer at this position. */
    static @Nullable Map<Long, Integer> read(FileWindow window, LogFile file, long position) throws IOException {
        ByteBuffer payload = window.record(file, position);
        if (payload == null || window.type() != RecordFraming.FOOTER) {
            return null;
        }
        Map<Long, Integer> counts = new HashMap<>();
        while (payload.remaining() >= ENTRY_BYTES) {
            counts.put(payload.getLong(), payload.getInt());
        }
        return counts;
    }
}
