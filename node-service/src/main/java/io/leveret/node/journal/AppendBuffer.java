package io.leveret.node.journal;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What was appended and is not yet written. Gives out positions: the layout of the log is decided here, at append time.
 *
 * <p>The one place of the journal that all event loops share. It is a lock around one copy of a record (some 100 ns), because
 * positions must be in one order for all streams; the CRC is left to the writing thread. Bound: nothing is refused, but above
 * {@code bufferBytesMax} the journal is congested, and owners stop their sources.
 */
final class AppendBuffer {
    static final int FILE_HEADER_BYTES = 64;
    private static final int CHUNK_BYTES = 256 << 10;

    private final int fileBytes;
    private final int chunkBytes;
    private final int pooledMax;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Chunk> pool = new ArrayDeque<>();
    private final ArrayDeque<Chunk> full = new ArrayDeque<>();
    /** Taken by the writer, and not yet readable in a file. */
    private final ArrayDeque<Chunk> taken = new ArrayDeque<>();

    private @Nullable Chunk current;
    private long end;
    private boolean isAtFileStart;
    private long previousEnd;
    private long records;
    private long bytes;
    private volatile long waitingBytes;
    private volatile long writtenPosition;

    AppendBuffer(JournalSettings settings) {
        fileBytes = settings.logFileBytes();
        chunkBytes = Math.min(CHUNK_BYTES, fileBytes / 4);
        pooledMax = Math.max(4, settings.bufferBytesMax() / chunkBytes);
    }

    /** Begins a new file. Before the first append. */
    void start(long sequence, long endOfPrevious) {
        end = Positions.inLog(sequence, FILE_HEADER_BYTES);
        previousEnd = endOfPrevious;
        isAtFileStart = true;
        writtenPosition = end;
    }

    long append(long stream, int type, int metaBytes, ByteBuffer head, byte[] second, byte[] third) {
        int headBytes = head.remaining();
        long payload = (long) headBytes + second.length + third.length;
        if (payload > Journal.PAYLOAD_BYTES_MAX || metaBytes > Math.min(payload, Journal.META_BYTES_MAX)) {
            throw new IllegalArgumentException("payload of " + payload + " bytes, " + metaBytes + " for the index");
        }
        int length = RecordFraming.HEADER_BYTES + (int) payload;
        int size = RecordFraming.aligned(length);
        lock.lock();
        try {
            Chunk chunk = current;
            if (chunk == null || !chunk.fits(size)) {
                chunk = nextChunk(size);
            }
            int at = chunk.used;
            ByteBuffer target = chunk.bytes;
            RecordFraming.putHeader(target, at, length, stream, type, metaBytes);
            int next = at + RecordFraming.HEADER_BYTES;
            target.put(next, head, head.position(), headBytes);
            next += headBytes;
            target.put(next, second);
            target.put(next + second.length, third);
            chunk.used = at + size;
            end = chunk.end();
            records++;
            bytes += size;
            // Only written inside the lock.
            waitingBytes = waitingBytes + size;
            return chunk.position + at;
        } finally {
            lock.unlock();
        }
    }

    private Chunk nextChunk(int size) {
        if (current != null) {
            full.add(current);
        }
        int needed = RecordFraming.MARK_BYTES + size;
        int offset = Positions.offset(end);
        boolean startsFile = isAtFileStart;
        long endBefore = previousEnd;
        // A record that fits into no file gets a longer one of its own.
        if (offset + needed > fileBytes && offset > FILE_HEADER_BYTES) {
            startsFile = true;
            endBefore = end;
            end = Positions.inLog(Positions.file(end) + 1, FILE_HEADER_BYTES);
            offset = FILE_HEADER_BYTES;
        }
        Chunk chunk = needed > chunkBytes ? Chunk.single(needed) : pooledChunk();
        chunk.begin(end, Math.max(needed, fileBytes - offset));
        chunk.startsFile = startsFile;
        chunk.previousEnd = endBefore;
        isAtFileStart = false;
        current = chunk;
        end = chunk.end();
        return chunk;
    }

    private Chunk pooledChunk() {
        Chunk chunk = pool.poll();
        return chunk == null ? Chunk.pooled(chunkBytes) : chunk;
    }

    /** Adds a mark without records, so that what is durable by now can be told from a torn tail. */
    void mark() {
        lock.lock();
        try {
            nextChunk(0);
        } finally {
            lock.unlock();
        }
    }

    /** Takes the next pieces to be written, also the one not full; at least one if there is any. */
    List<Chunk> take(int bytesMax) {
        lock.lock();
        try {
            if (current != null) {
                full.add(current);
                current = null;
            }
            List<Chunk> group = new ArrayList<>();
            int size = 0;
            while (!full.isEmpty() && (size == 0 || size + full.element().used <= bytesMax)) {
                Chunk chunk = full.remove();
                size += chunk.used;
                group.add(chunk);
                taken.add(chunk);
            }
            return group;
        } finally {
            lock.unlock();
        }
    }

    /** All that was taken is readable in the files now. */
    void written() {
        lock.lock();
        try {
            long released = 0;
            while (!taken.isEmpty()) {
                Chunk chunk = taken.remove();
                writtenPosition = chunk.end();
                released += chunk.used - RecordFraming.MARK_BYTES;
                if (chunk.bytes.isDirect() && pool.size() < pooledMax) {
                    pool.push(chunk);
                }
            }
            waitingBytes = waitingBytes - released;
        } finally {
            lock.unlock();
        }
    }

    /** A copy of a record that is not in a file yet, with its header; null when it is. */
    @Nullable
    ByteBuffer unwritten(long position) {
        if (position < writtenPosition) {
            return null;
        }
        lock.lock();
        try {
            Chunk chunk = find(position);
            if (chunk == null) {
                return null;
            }
            int at = (int) (position - chunk.position);
            int left = chunk.used - at;
            if (left < RecordFraming.HEADER_BYTES || !RecordFraming.isPlausible(chunk.bytes, at, left)) {
                return null;
            }
            byte[] copy = new byte[RecordFraming.length(chunk.bytes, at)];
            chunk.bytes.get(at, copy);
            return ByteBuffer.wrap(copy);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Chunk find(long position) {
        for (Chunk chunk : taken) {
            if (chunk.covers(position)) {
                return chunk;
            }
        }
        for (Chunk chunk : full) {
            if (chunk.covers(position)) {
                return chunk;
            }
        }
        return current != null && current.covers(position) ? current : null;
    }

    /** Where the next record will be, or after it. */
    long end() {
        lock.lock();
        try {
            return end;
        } finally {
            lock.unlock();
        }
    }

    /** Payload and headers waiting to be written, the group being written included. */
    long waitingBytes() {
        return waitingBytes;
    }

    /** Whether a whole piece is waiting. */
    boolean isPieceFull() {
        return waitingBytes >= chunkBytes;
    }

    long records() {
        lock.lock();
        try {
            return records;
        } finally {
            lock.unlock();
        }
    }

    long bytes() {
        lock.lock();
        try {
            return bytes;
        } finally {
            lock.unlock();
        }
    }
}
