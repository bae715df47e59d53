package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.BodyReader;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.journal.Journal;
import io.leveret.node.journal.ReadCallback;
import io.leveret.node.journal.Release;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One replica's stream of the journal: its records, how many of them are on disk, reading bodies back, and answers when the
 * journal wants to release storage. A stream begins with the generation of the replica, and so does each of its checkpoints: a
 * restart must not take the files of a former generation for its own. Owned by the queue's executor.
 */
final class ReplicaDisk implements BodyReader {
    /** A record type beside those of {@link ReplicaRecordCodec}: the generation of the replica whose stream begins. */
    static final int BEGIN = 100;
    /** A transient message whose body had to leave memory, written as a backfilled one. Of no meaning to a restart. */
    static final int PAGED = 101;

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaDisk.class);
    private static final byte[] NONE = new byte[0];
    private static final int START = 64;

    private final Journal journal;
    private final ReplicaLoop loop;
    private final ReplicaLoop.Member member;
    private final ReplicaState state;
    private final long stream;
    private final long generation;
    private final boolean isDurable;
    private final Consumer<Request> whenDamaged;
    /** The damaged messages that the last read with any has found. */
    private Set<Request> reported = Set.of();
    /** A ring of the positions of records that are not on disk. */
    private long[] positions = new long[START];

    private long appended;
    private long durable;
    private boolean isWaiting;
    private final RecordWriter writer = new RecordWriter(256);
    /** What the writer holds. */
    private @Nullable ReplicaRecord written;

    /** @param whenDamaged told of messages that cannot be read any more, on the queue's executor */
    ReplicaDisk(
            Journal journal,
            ReplicaLoop loop,
            ReplicaLoop.Member member,
            ReplicaState state,
            long stream,
            long generation,
            Consumer<Request> whenDamaged) {
        this.whenDamaged = whenDamaged;
        this.journal = journal;
        this.loop = loop;
        this.member = member;
        this.state = state;
        this.stream = stream;
        this.generation = generation;
        this.isDurable = state.isDurable();
    }

    /** The replica is new: what follows in the stream is of this generation. */
    void begin() {
        if (isDurable) {
            journal.append(
                    stream, BEGIN, 0, ByteBuffer.allocate(8).putLong(generation).flip());
            loop.appended();
        }
    }

    /** The encoded record but for header and body of its message: what {@link #append} just wrote, if it did. */
    ByteBuffer head(ReplicaRecord record) {
        if (written != record) {
            write(record);
        }
        return ByteBuffer.wrap(writer.toByteArray());
    }

    private int write(ReplicaRecord record) {
        writer.reset();
        written = record;
        return ReplicaRecordCodec.writeHead(writer, record);
    }

    void append(ReplicaRecord record) {
        Message message = ReplicaRecordCodec.tail(record);
        int described = write(record);
        long position = append(ReplicaRecordCodec.type(record), described, message);
        MessageId id = messageId(record);
        if (id != null
                && !state.queue().live().setPosition(id, position)
                && record instanceof ReplicaRecord.Backfilled backfilled) {
            TailEvent.placeKept(state.tail(), backfilled.copy().entry(false).at(position));
        }
        if (appended - durable == positions.length) {
            grow();
        }
        positions[(int) (appended++ & (positions.length - 1))] = position;
        loop.appended();
        if (!isWaiting) {
            isWaiting = true;
            loop.await(member);
        }
    }

    private long append(int type, int described, @Nullable Message message) {
        return message == null
                ? journal.append(stream, type, described, writer.view(), NONE, NONE)
                : journal.append(stream, type, described, writer.view(), message.header(), message.body());
    }

    /** The message that the record brings. */
    private static @Nullable MessageId messageId(ReplicaRecord record) {
        if (record instanceof ReplicaRecord.Queued queued) {
            return ReplicaRecordCodec.tail(record) == null ? null : queued.id();
        } else if (record instanceof ReplicaRecord.Merged merged) {
            return merged.copy().id();
        }
        return record instanceof ReplicaRecord.Backfilled backfilled
                ? backfilled.copy().id()
                : null;
    }

    private void grow() {
        long[] more = new long[2 * positions.length];
        for (long at = durable; at < appended; at++) {
            more[(int) (at & (more.length - 1))] = positions[(int) (at & (positions.length - 1))];
        }
        positions = more;
    }

    /**
     * Everything below the position is on disk.
     *
     * @return whether records still wait
     */
    boolean durable(long position) {
        long before = durable;
        while (durable < appended && positions[(int) (durable & (positions.length - 1))] < position) {
            durable++;
        }
        if (durable > before) {
            state.durable(durable);
        }
        isWaiting = durable < appended;
        return isWaiting;
    }

    boolean isOnDisk(long position) {
        return Journal.isInSegment(position) || position < journal.durablePosition();
    }

    void released(LiveMessage entry) {
        if (entry.position() != LiveMessage.NO_POSITION && Journal.isInSegment(entry.position())) {
            journal.discard(stream, entry.position());
        }
    }

    /** Gives a transient message a place to be read back from. */
    void page(LiveMessage entry, Message message) {
        int described = write(new ReplicaRecord.Backfilled(ReplicaCore.copy(entry, message)));
        written = null;
        state.queue().live().setPosition(entry.id(), append(PAGED, described, message));
        loop.appended();
    }

    // ---- reading back

    @Override
    public void read(List<Request> requests, Completion completion) {
        long[] wanted = new long[requests.size()];
        for (int i = 0; i < wanted.length; i++) {
            wanted[i] = requests.get(i).position();
        }
        @Nullable Message[] found = new Message[wanted.length];
        Map<Request, String> damaged = new LinkedHashMap<>();
        journal.read(stream, wanted, new ReadCallback() {
            @Override
            public void record(int index, int type, ByteBuffer payload) {
                ReplicaRecord record = ReplicaRecordCodec.decode(payload);
                // The place may have been given to another message since.
                if (requests.get(index).id().equals(messageId(record))) {
                    found[index] = ReplicaRecordCodec.tail(record);
                }
            }

            @Override
            public void damaged(int index, String why) {
                damaged.put(requests.get(index), why);
            }

            @Override
            public void finished() {
                loop.executor().execute(() -> {
                    report(damaged);
                    damaged.keySet().forEach(whenDamaged);
                    completion.completed(Arrays.asList(found));
                });
            }
        });
    }

    /** Once each: whoever waits for a damaged message tries it again and again. */
    private void report(Map<Request, String> damaged) {
        damaged.forEach((request, why) -> {
            if (!reported.contains(request)) {
                LOG.error("message {} of stream {} cannot be read: {}", request.id(), stream, why);
            }
        });
        if (!damaged.isEmpty()) {
            reported = damaged.keySet();
        }
    }

    // ---- release of storage

    void release(Release release) {
        long[] live = state.queue().live().positionsIn(release.from(), release.until());
        // What an event removed that may yet be undone must stay readable, too.
        long[] removed = state.tail().stream()
                .flatMap(each -> each.removed.stream())
                .mapToLong(LiveMessage::position)
                .filter(release::covers)
                .toArray();
        long[] kept = Arrays.copyOf(live, live.length + removed.length);
        System.arraycopy(removed, 0, kept, live.length, removed.length);
        release.answer(kept, checkpoint());
    }

    private byte[] checkpoint() {
        if (!isDurable) {
            // Bodies that left memory are all that the stream has: a restart must find no replica in it.
            return NONE;
        }
        RecordWriter out = new RecordWriter(1024);
        out.putBuffer(ByteBuffer.allocate(8).putLong(0, generation));
        ReplicaCheckpoint.write(out, state);
        return out.toByteArray();
    }

    void moved(long[] from, long[] to, Runnable done) {
        Set<Long> unused = new HashSet<>();
        state.queue().live().relocate(from, to, unused::add);
        for (TailEvent each : state.tail()) {
            for (int i = 0; i < each.removed.size(); i++) {
                int at = Arrays.binarySearch(from, each.removed.get(i).position());
                if (at >= 0) {
                    each.removed.set(i, each.removed.get(i).at(to[at]));
                    unused.remove(to[at]);
                }
            }
        }
        unused.forEach(position -> journal.discard(stream, position));
        // Reads of old positions that are under way are answered first: the journal sees to that.
        done.run();
    }

    /** The replica is no more. */
    void drop() {
        if (isDurable) {
            journal.drop(stream);
            loop.appended();
        }
    }
}
