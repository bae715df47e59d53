package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.CodecException;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.LiveMessages;
import io.leveret.node.cluster.replication.ReplicaRecord.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A replica's state without its bodies, for the journal: what was recorded before it need not be read back. It has the tail
 * with what undoes it, since a Truncated record may follow. Transient messages are left out, and what a restart knows of them
 * is what it would have read in the records: nothing of those that are live, the settle of those that are settled.
 *
 * <pre>
 * checkpoint = version(1) end baseEnd ends known dedupe live tail
 * live       = count entry…
 * tail       = count event…
 * event      = length record, without header and body of its message · flags(1) highestBefore [resentBefore] [learned] [epoch resent copies] removed
 * removed    = count entry…
 * </pre>
 */
final class ReplicaCheckpoint {
    private static final int VERSION = 1;
    private static final int HAS_RESENT = 1;
    private static final int HAS_RESENT_BEFORE = 2;
    private static final int IS_MERGED_IN = 4;
    private static final int IS_ORIGIN_ADDED = 8;
    private static final int HAS_LEARNED = 16;
    private static final int HAS_FROZEN = 32;

    private ReplicaCheckpoint() {}

    /** Appends it to what was written: it may be the largest thing in memory, and is not copied for what comes before it. */
    static void write(RecordWriter out, ReplicaState state) {
        out.putByte(VERSION);
        out.putId(state.end());
        out.putId(state.baseEnd());
        state.ends().write(out);
        RunSet known = state.known().copy();
        RunSet fleeting = new RunSet();
        LiveMessages live = state.queue().live();
        if (live.persistentCount() < live.count()) {
            live.forEach(entry -> {
                if (!entry.isPersistent()) {
                    fleeting.add(entry.id());
                }
            });
        }
        fleeting.addAll(state.fleeting());
        known.removeAll(fleeting);
        known.write(out);
        state.dedupe().write(out);
        // One after the other, since a list of them would be the largest thing in memory.
        out.putVar(live.persistentCount());
        live.forEach(entry -> {
            if (entry.isPersistent()) {
                ReplicaRecordCodec.writeEntry(out, entry);
            }
        });
        out.putVar(state.tailEvents());
        state.tail().forEach(each -> writeEvent(out, each));
    }

    private static void writeEntries(RecordWriter out, List<LiveMessage> entries) {
        out.putVar(entries.size());
        entries.forEach(each -> ReplicaRecordCodec.writeEntry(out, each));
    }

    private static void writeEvent(RecordWriter out, TailEvent each) {
        RecordWriter record = new RecordWriter(128);
        ReplicaRecordCodec.write(record, each.bodiless());
        out.putVar(record.length());
        out.putBuffer(record.view());
        RunSet learned = each.learned == null ? new RunSet() : each.learned.copy();
        List<LiveMessage> removed = new ArrayList<>();
        for (LiveMessage entry : each.removed) {
            if (entry.isPersistent()) {
                removed.add(entry);
            } else {
                learned.add(entry.id());
            }
        }
        out.putByte((each.hasResent ? HAS_RESENT : 0)
                | (each.resentBefore != null ? HAS_RESENT_BEFORE : 0)
                | (each.isMergedIn ? IS_MERGED_IN : 0)
                | (each.isOriginAdded ? IS_ORIGIN_ADDED : 0)
                | (learned.isEmpty() ? 0 : HAS_LEARNED)
                | (each.frozen == null ? 0 : HAS_FROZEN));
        // -1 says that the channel was new.
        out.putVar(each.highestBefore + 1);
        if (each.resentBefore != null) {
            out.putId(each.resentBefore);
        }
        if (!learned.isEmpty()) {
            learned.write(out);
        }
        if (each.frozen != null) {
            out.putVar(each.frozen.epoch());
            Dedupe.writeResent(out, each.frozen.resent());
            each.frozen.copies().write(out);
        }
        writeEntries(out, removed);
    }

    /**
     * A state on its way back: {@link #stored} tells where its messages are, then {@link #state} is complete and records that
     * came later can be applied.
     */
    static final class Restored {
        private final ReplicaState state;
        private final Map<MessageId, TailEvent> removed = new HashMap<>();

        /** @throws CodecException when the bytes are no checkpoint */
        Restored(byte[] bytes, int offset, int length) {
            RecordReader in = new RecordReader(bytes, offset, length);
            int version = in.getByte();
            if (version != VERSION) {
                throw new CodecException("checkpoint of version " + version);
            }
            MessageId end = in.getId();
            MessageId baseEnd = in.getId();
            state = new ReplicaState(true, Rules.ALL, end, baseEnd, Ends.read(in), RunSet.read(in), Dedupe.read(in));
            // One after the other: a list of all would be the largest thing in memory.
            for (int left = in.getCount(); left > 0; left--) {
                state.queue().live().add(ReplicaRecordCodec.readEntry(in));
            }
            int count = in.getCount();
            for (int i = 0; i < count; i++) {
                TailEvent event = readEvent(in);
                state.tail().add(event);
                event.removed.forEach(each -> removed.put(each.id(), event));
            }
            in.expectEnd();
        }

        ReplicaState state() {
            return state;
        }

        /** A record with a message that was written before. @return whether the message is still kept */
        boolean stored(MessageId id, long position) {
            if (state.queue().live().setPosition(id, position)) {
                return true;
            }
            TailEvent event = removed.get(id);
            if (event == null) {
                return false;
            }
            event.removed.replaceAll(each -> each.id().equals(id) ? each.at(position) : each);
            return true;
        }
    }

    private static List<LiveMessage> readEntries(RecordReader in) {
        int count = in.getCount();
        List<LiveMessage> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            entries.add(ReplicaRecordCodec.readEntry(in));
        }
        return entries;
    }

    private static TailEvent readEvent(RecordReader in) {
        if (!(ReplicaRecordCodec.decode(in.part(in.getInt())) instanceof Event event)) {
            throw new CodecException("not an event");
        }
        TailEvent each = new TailEvent(event);
        int flags = in.getByte();
        each.hasResent = (flags & HAS_RESENT) != 0;
        each.isMergedIn = (flags & IS_MERGED_IN) != 0;
        each.isOriginAdded = (flags & IS_ORIGIN_ADDED) != 0;
        each.highestBefore = in.getVar() - 1;
        @Nullable MessageId resentBefore = (flags & HAS_RESENT_BEFORE) != 0 ? in.getId() : null;
        each.resentBefore = resentBefore;
        each.learned = (flags & HAS_LEARNED) != 0 ? RunSet.read(in) : null;
        each.frozen = (flags & HAS_FROZEN) != 0
                ? new Dedupe.Frozen(in.getVar(), Dedupe.readResent(in), RunSet.read(in))
                : null;
        each.removed = readEntries(in);
        return each;
    }
}
