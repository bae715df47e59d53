package io.leveret.node.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the index of one segment; where that is damaged, the segment itself. */
final class SegmentRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentRecovery.class);

    private final Segment segment;
    private final RecoveryStreams streams;
    private final FileWindow window;
    private final List<Segment.Run> runs = new ArrayList<>();
    private int recorded;

    SegmentRecovery(Segment segment, RecoveryStreams streams, FileWindow window) {
        this.segment = segment;
        this.streams = streams;
        this.window = window;
    }

    Segment.Run[] run(Manifest.Extent extent) throws IOException {
        LogFile index = segment.index.file();
        int offset = LogFileHeader.BYTES;
        int dataOffset = LogFileHeader.BYTES;
        while (offset < extent.indexEnd()) {
            ByteBuffer payload = window.record(index, Positions.inSegment(segment.number, offset));
            if (payload == null || window.type() != RecordFraming.INDEX) {
                LOG.warn("{} is damaged; reading the segment instead", index.name());
                scan(dataOffset, extent.dataEnd());
                break;
            }
            offset += window.size();
            dataOffset = entries(window.stream(), payload);
        }
        return runs.toArray(new Segment.Run[0]);
    }

    /** Records seen, live or not. */
    int recorded() {
        return recorded;
    }

    /** Shows a run, and returns where it ends in the segment. */
    private int entries(long stream, ByteBuffer payload) {
        long stamp = payload.getLong();
        int metaBytes = payload.getInt();
        int count = payload.getInt();
        int live = 0;
        int start = -1;
        int end = 0;
        for (int i = 0; i < count; i++) {
            int offset = payload.getInt();
            int length = payload.getInt();
            int type = payload.get() & 0xFF;
            ByteBuffer meta = payload.slice(payload.position(), metaBytes);
            payload.position(payload.position() + metaBytes);
            start = start < 0 ? offset : start;
            end = offset + RecordFraming.aligned(length);
            live += show(stream, stamp, offset, type, meta, length);
        }
        recorded += count;
        runs.add(new Segment.Run(stream, start, live));
        return end;
    }

    private int show(long stream, long stamp, int offset, int type, ByteBuffer meta, int length) {
        long position = Positions.inSegment(segment.number, offset);
        int payloadBytes = length - RecordFraming.HEADER_BYTES;
        return streams.inSegment(stream, stamp, position, type, meta, payloadBytes) ? 1 : 0;
    }

    /** Without the index: goes through the records. Their stamp is in the mark before them. */
    private void scan(int from, int end) throws IOException {
        LogFile data = segment.data.file();
        long stamp = lastStamp(data, from);
        int offset = from;
        while (offset < end) {
            ByteBuffer payload = window.record(data, Positions.inSegment(segment.number, offset));
            if (payload == null) {
                streams.damageAll(
                        data.name() + " and its index are damaged, and it is unknown whose records they held");
                return;
            }
            int size = window.size();
            if (window.type() == RecordFraming.MARK) {
                stamp = payload.getLong();
            } else {
                int length = payload.remaining() + RecordFraming.HEADER_BYTES;
                ByteBuffer meta = payload.limit(payload.position() + window.metaBytes());
                long stream = window.stream();
                int live = show(stream, stamp, offset, window.type(), meta, length);
                recorded++;
                runs.add(new Segment.Run(stream, offset, live));
            }
            offset += size;
        }
    }

    private long lastStamp(LogFile data, int before) throws IOException {
        long stamp = 0;
        int offset = LogFileHeader.BYTES;
        while (offset < before) {
            long at = Positions.inSegment(segment.number, offset);
            offset = window.find(data, at, before, RecordFraming.MARK, RecordFraming.MARK_LENGTH);
            if (offset < 0) {
                break;
            }
            stamp = window.markedDurable();
            offset += RecordFraming.MARK_BYTES;
        }
        return stamp;
    }
}
