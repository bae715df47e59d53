package io.leveret.node.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the write-ahead log, oldest record first.
 *
 * <p>Which files count is told from the newest to the oldest, by the end that each header gives for the log before it: files
 * between are what an earlier recovery cut off. The last mark, or a newer header, tells what was durable. An unreadable
 * record below that is damage: the rest up to the next mark is lost, and the footer tells whose it was. One above is the torn
 * tail: the log ends there.
 */
final class LogRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(LogRecovery.class);

    /** A file of the log, and where its records end as far as is known. */
    private static final class Part {
        final long sequence;
        final LogFile file;
        final int sizeMax;
        final @Nullable LogFileHeader header;
        int end;
        boolean isEndKnown;

        Part(long sequence, LogFile file, @Nullable LogFileHeader header) throws IOException {
            this.sequence = sequence;
            this.file = file;
            this.header = header;
            this.sizeMax = (int) Math.min(file.size(), Positions.OFFSET_MAX);
            this.end = sizeMax;
        }
    }

    private final FileStorage storage;
    private final RecoveryStreams streams;
    private final FileWindow window = new FileWindow();
    private final List<WalFile> found = new ArrayList<>();
    private final List<LogFile> unused = new ArrayList<>();
    private long sequenceMax;
    private long durable;
    private long end;
    private long cutBytes;
    private long damagedThrough;
    private boolean isCut;

    LogRecovery(FileStorage storage, RecoveryStreams streams) {
        this.storage = storage;
        this.streams = streams;
    }

    /** @param released files up to this sequence are no longer needed */
    void run(long released) throws IOException {
        TreeMap<Long, Part> parts = new TreeMap<>(Collections.reverseOrder());
        for (String name : storage.list()) {
            long sequence = sequence(name);
            sequenceMax = Math.max(sequenceMax, sequence);
            if (sequence == 0) {
                continue;
            }
            LogFile file = storage.open(name);
            if (name.equals(WalFile.name(sequence)) && sequence > released) {
                parts.put(sequence, new Part(sequence, file, LogFileHeader.read(file, LogFileHeader.LOG)));
            } else {
                unused.add(file);
            }
        }
        List<Part> chain = chain(parts, released);
        findDurable(chain);
        end = Positions.inLog(released, LogFileHeader.BYTES);
        for (Part part : chain) {
            if (isCut) {
                unused.add(part.file);
            } else {
                read(part);
            }
        }
    }

    private static long sequence(String name) {
        int dash = name.indexOf('-');
        boolean isLog = name.startsWith("log-") || name.startsWith("spare-") || name.startsWith("fresh-");
        return isLog ? Long.parseLong(name.substring(dash + 1), 16) : 0;
    }

    /** The files that make up the log, oldest first. */
    private List<Part> chain(Map<Long, Part> newestFirst, long released) throws IOException {
        List<Part> chain = new ArrayList<>();
        long bound = Long.MAX_VALUE;
        long expected = 0;
        for (Part part : newestFirst.values()) {
            boolean isBelow = part.sequence <= Positions.file(bound);
            LogFileHeader header = part.header;
            boolean isSound = header != null && header.number() == part.sequence;
            if (!isBelow || (!isSound && window.findMark(part.file, 0, part.sizeMax, part.sequence) < 0)) {
                unused.add(part.file);
                continue;
            }
            if (part.sequence < expected) {
                streams.damageAll("a file of the log is missing before number " + (expected + 1));
                damagedThrough = Math.max(damagedThrough, chain.get(chain.size() - 1).sequence);
            }
            if (part.sequence == Positions.file(bound)) {
                part.end = Positions.offset(bound);
                part.isEndKnown = true;
            }
            if (header != null && isSound) {
                bound = header.previousEnd();
                expected = Positions.file(bound);
            } else {
                streams.damageAll("the header of " + part.file.name() + " is damaged");
                damagedThrough = Math.max(damagedThrough, part.sequence);
                bound = Positions.inLog(part.sequence - 1, Positions.OFFSET_MAX);
                expected = 0;
            }
            chain.add(part);
        }
        if (chain.isEmpty() && released > 0) {
            streams.damageAll("the log is missing");
        } else if (expected > released) {
            streams.damageAll("the oldest files of the log are missing");
            damagedThrough = Math.max(damagedThrough, chain.get(chain.size() - 1).sequence);
        }
        Collections.reverse(chain);
        return chain;
    }

    private void findDurable(List<Part> chain) throws IOException {
        for (int i = chain.size() - 1; i >= 0 && durable == 0; i--) {
            Part part = chain.get(i);
            int at = 0;
            while (at >= 0) {
                at = window.findMark(part.file, at, Math.min(part.end, part.sizeMax), part.sequence);
                if (at >= 0) {
                    durable = Math.max(durable, window.markedDurable());
                    at += RecordFraming.MARK_BYTES;
                }
            }
            LogFileHeader header = part.header;
            if (header != null && header.number() == part.sequence) {
                durable = Math.max(durable, header.durable());
            }
        }
    }

    private void read(Part part) throws IOException {
        StreamTable table = new StreamTable();
        int offset = LogFileHeader.BYTES;
        while (offset < part.end) {
            long position = Positions.inLog(part.sequence, offset);
            ByteBuffer payload = window.record(part.file, position);
            if (payload != null && window.type() == RecordFraming.FOOTER && !part.isEndKnown) {
                break;
            }
            if (payload != null) {
                offset += window.size();
                take(position, payload, table);
                continue;
            }
            if (position >= durable) {
                cut(part, offset);
                break;
            }
            offset = skip(part, offset);
        }
        WalFile file = new WalFile(part.sequence, part.file, table);
        file.end = Positions.inLog(part.sequence, offset);
        file.isComplete = true;
        found.add(file);
        end = file.end;
    }

    private void take(long position, ByteBuffer payload, StreamTable table) {
        int type = window.type();
        long stream = window.stream();
        if (type <= Journal.TYPE_MAX) {
            table.add(stream, position);
            streams.inLog(position, window, payload);
        } else if (type == RecordFraming.DROP) {
            table.add(stream, Journal.NOWHERE);
            streams.drop(stream, position);
        }
    }

    private void cut(Part part, int offset) throws IOException {
        isCut = true;
        int at = window.findMark(part.file, offset, Math.min(part.end, part.sizeMax), part.sequence);
        cutBytes = at < 0 ? 0 : at - (long) offset;
    }

    /** Finds whose records the damaged stretch held, and returns the offset behind it. */
    private int skip(Part part, int offset) throws IOException {
        int limit = Math.min(part.end, part.sizeMax);
        int mark = window.findMark(part.file, offset, limit, part.sequence);
        int next = mark < 0 ? part.end : mark;
        long position = Positions.inLog(part.sequence, offset);
        damagedThrough = Math.max(damagedThrough, part.sequence);
        LOG.error("{} is damaged from {} to {}", part.file.name(), offset, next);
        String why = "records in " + part.file.name() + " are damaged";
        Map<Long, Integer> expected =
                part.isEndKnown ? LogFooter.read(window, part.file, Positions.inLog(part.sequence, part.end)) : null;
        if (expected == null) {
            streams.damageAll(why + ", and it is unknown whose");
            return next;
        }
        StreamTable intact = countIntact(part);
        expected.forEach((stream, count) -> {
            if (intact.count(stream) != count) {
                streams.damage(stream, position, why);
            }
        });
        return next;
    }

    private StreamTable countIntact(Part part) throws IOException {
        StreamTable table = new StreamTable();
        int limit = Math.min(part.end, part.sizeMax);
        int offset = LogFileHeader.BYTES;
        while (offset >= 0 && offset < limit) {
            long position = Positions.inLog(part.sequence, offset);
            if (window.record(part.file, position) == null) {
                offset = window.findMark(part.file, offset, limit, part.sequence);
            } else {
                if (window.type() <= Journal.TYPE_MAX || window.type() == RecordFraming.DROP) {
                    table.add(window.stream(), position);
                }
                offset += window.size();
            }
        }
        return table;
    }

    /** The files with records, oldest first. */
    List<WalFile> found() {
        return found;
    }

    /** Files without any, to be used again. */
    List<LogFile> unused() {
        return unused;
    }

    long nextSequence() {
        return sequenceMax + 1;
    }

    /** Where the log ends. */
    long end() {
        return end;
    }

    long cutBytes() {
        return cutBytes;
    }

    /** The newest file with a damaged stretch, which is to be released soon; 0 for none. */
    long damagedThrough() {
        return damagedThrough;
    }
}
