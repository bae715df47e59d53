package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.message.Origin;
import io.leveret.node.broker.queue.CodecException;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.QueueEvent;
import io.leveret.node.broker.queue.QueueEventCodec;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one encoding of a replica's records, for the journal, the stream to mirrors, backfill and recovery. The length is kept
 * by whoever frames it. All numbers are varints unless said otherwise; an id is epoch, index.
 *
 * <pre>
 * record = type(1) …                                  type is the journal's record type, too
 *  1 published   entry event                          entry.id is the event's id
 *  2 queued      id event                             settled
 *  3 purged      id runs event
 *  4 merged      entry id event                       entry.id is the message's, id the event's
 *  5 learned     id runs
 *  6 freeze      id lossyEpoch
 *  7 thaw        id
 *  8 resent      id origin id
 *  9 closed      id node boot channel lost(1)
 * 10 twins       id runs
 * 11 letters     id source floor runs                  settled at their source; floor is an id
 * 16 truncated   id
 * 17 cut begun   id ends dedupe
 * 18 cut         id id runs runs
 * 19 backfilled  entry event
 * 20 passed      count (origin id resent(1))…
 * entry  = flags(1) id bodyBytes [priority(1)] [expiresAtMillis]    all that a queue keeps of a message but the message
 * event  = as {@link QueueEventCodec} writes it; ends with the message's header and body
 * runs   = count, then per run: epoch and index of its first id, epoch and index of its last, each as a difference
 * </pre>
 */
public final class ReplicaRecordCodec {
    static final int PUBLISHED = 1;
    static final int QUEUED = 2;
    static final int PURGED = 3;
    static final int MERGED = 4;
    static final int LEARNED = 5;
    static final int FREEZE = 6;
    static final int THAW = 7;
    static final int RESENT = 8;
    static final int CLOSED = 9;
    static final int TWINS = 10;
    static final int LETTERS_SETTLED = 11;
    static final int HAND_OVER = 12;
    static final int TRUNCATED = 16;
    static final int CUT_BEGUN = 17;
    static final int CUT = 18;
    static final int BACKFILLED = 19;
    static final int PASSED = 20;

    private static final int HAS_PRIORITY = 1 << 3;
    private static final int HAS_DEADLINE = 1 << 4;
    private static final int FLAGS_KNOWN = 31;

    private ReplicaRecordCodec() {}

    /** The record's type: the first byte of its encoding. */
    public static int type(ReplicaRecord record) {
        if (record instanceof ReplicaRecord.Queued queued) {
            return queued.event() instanceof QueueEvent.Published ? PUBLISHED : QUEUED;
        } else if (record instanceof ReplicaRecord.Purged) {
            return PURGED;
        } else if (record instanceof ReplicaRecord.Merged) {
            return MERGED;
        } else if (record instanceof ReplicaRecord.Learned) {
            return LEARNED;
        } else if (record instanceof ReplicaRecord.Freeze) {
            return FREEZE;
        } else if (record instanceof ReplicaRecord.Thaw) {
            return THAW;
        } else if (record instanceof ReplicaRecord.Resent) {
            return RESENT;
        } else if (record instanceof ReplicaRecord.ChannelClosed) {
            return CLOSED;
        } else if (record instanceof ReplicaRecord.Truncated) {
            return TRUNCATED;
        } else if (record instanceof ReplicaRecord.CutBegun) {
            return CUT_BEGUN;
        } else if (record instanceof ReplicaRecord.Cut) {
            return CUT;
        } else if (record instanceof ReplicaRecord.Passed) {
            return PASSED;
        } else if (record instanceof ReplicaRecord.Twins) {
            return TWINS;
        } else if (record instanceof ReplicaRecord.LettersSettled) {
            return LETTERS_SETTLED;
        } else if (record instanceof ReplicaRecord.HandOver) {
            return HAND_OVER;
        }
        return BACKFILLED;
    }

    /** The message whose header and body, in this order, end the record; null when none does. */
    public static @Nullable Message tail(ReplicaRecord record) {
        if (record instanceof ReplicaRecord.Queued queued && queued.event() instanceof QueueEvent.Published published) {
            return published.message();
        } else if (record instanceof ReplicaRecord.Merged merged) {
            return merged.copy().message();
        } else if (record instanceof ReplicaRecord.Backfilled backfilled) {
            return backfilled.copy().message();
        }
        return null;
    }

    /**
     * Writes the record but for header and body of its message.
     *
     * @return how many of the bytes written, from the first, describe the message so that {@link #entry} reads them back; 0
     *     when the record holds none
     */
    static int writeHead(RecordWriter out, ReplicaRecord record) {
        int start = out.length();
        out.putByte(type(record));
        if (record instanceof ReplicaRecord.Queued queued) {
            if (queued.event() instanceof QueueEvent.Published published) {
                writeEntry(out, LiveMessage.of(queued.id(), published));
                int described = out.length() - start;
                out.putBuffer(QueueEventCodec.encodeHead(published));
                return described;
            }
            out.putId(queued.id());
            out.putBuffer(QueueEventCodec.encodeHead(queued.event()));
        } else if (record instanceof ReplicaRecord.Merged merged) {
            writeEntry(out, merged.copy().entry(true));
            int described = out.length() - start;
            out.putId(merged.id());
            out.putBuffer(QueueEventCodec.encodeHead(event(merged.copy())));
            return described;
        } else if (record instanceof ReplicaRecord.Backfilled backfilled) {
            writeEntry(out, backfilled.copy().entry(false));
            int described = out.length() - start;
            out.putBuffer(QueueEventCodec.encodeHead(event(backfilled.copy())));
            return described;
        } else {
            writeRest(out, record);
        }
        return 0;
    }

    private static void writeRest(RecordWriter out, ReplicaRecord record) {
        if (record instanceof ReplicaRecord.Purged purged) {
            out.putId(purged.id());
            purged.kept().write(out);
            out.putBuffer(QueueEventCodec.encodeHead(purged.event()));
        } else if (record instanceof ReplicaRecord.Learned learned) {
            out.putId(learned.id());
            learned.ids().write(out);
        } else if (record instanceof ReplicaRecord.Freeze freeze) {
            out.putId(freeze.id());
            out.putVar(freeze.lossyEpoch());
        } else if (record instanceof ReplicaRecord.Thaw thaw) {
            out.putId(thaw.id());
        } else if (record instanceof ReplicaRecord.Resent resent) {
            out.putId(resent.id());
            Dedupe.writeOrigin(out, resent.origin());
            out.putId(resent.held());
        } else if (record instanceof ReplicaRecord.ChannelClosed closed) {
            out.putId(closed.id());
            out.putVar(closed.channel().node());
            out.putVar(closed.channel().boot());
            out.putVar(closed.channel().channel());
            out.putByte(closed.isLost() ? 1 : 0);
        } else if (record instanceof ReplicaRecord.Truncated truncated) {
            out.putId(truncated.point());
        } else if (record instanceof ReplicaRecord.CutBegun cut) {
            out.putId(cut.end());
            cut.ends().write(out);
            cut.dedupe().write(out);
        } else if (record instanceof ReplicaRecord.Cut cut) {
            out.putId(cut.from());
            out.putId(cut.to());
            cut.drop().write(out);
            cut.known().write(out);
        } else if (record instanceof ReplicaRecord.Passed passed) {
            out.putVar(passed.publishes().size());
            for (ReplicaRecord.Passed.Publish each : passed.publishes()) {
                Dedupe.writeOrigin(out, each.origin());
                out.putId(each.id());
                out.putByte(each.isResent() ? 1 : 0);
            }
        } else if (record instanceof ReplicaRecord.Twins twins) {
            out.putId(twins.id());
            twins.ids().write(out);
        } else if (record instanceof ReplicaRecord.LettersSettled settled) {
            out.putId(settled.id());
            out.putVar(settled.source());
            out.putId(settled.floor());
            settled.letters().write(out);
        } else if (record instanceof ReplicaRecord.HandOver handOver) {
            out.putId(handOver.id());
            out.putByte(handOver.isBegun() ? 1 : 0);
            out.putVar(handOver.since());
            out.putByte(handOver.isSyncWanted() ? 1 : 0);
            handOver.delivered().write(out);
        }
    }

    /** Writes the whole record. */
    static void write(RecordWriter out, ReplicaRecord record) {
        writeHead(out, record);
        Message message = tail(record);
        if (message != null) {
            out.putRaw(message.header(), 0, message.header().length);
            out.putRaw(message.body(), 0, message.body().length);
        }
    }

    /** The whole record. */
    public static byte[] encode(ReplicaRecord record) {
        RecordWriter out = new RecordWriter(128);
        write(out, record);
        return out.toByteArray();
    }

    /** Reads one record. @throws CodecException when the bytes are not one */
    public static ReplicaRecord decode(ByteBuffer source) {
        byte[] bytes = new byte[source.remaining()];
        source.get(bytes);
        return decode(new RecordReader(bytes));
    }

    /** Reads one record, to the end of what the reader has. */
    static ReplicaRecord decode(RecordReader in) {
        int type = in.getByte();
        ReplicaRecord record;
        switch (type) {
            case PUBLISHED -> {
                LiveMessage entry = readEntry(in);
                record = new ReplicaRecord.Queued(entry.id(), named(published(in)));
            }
            case MERGED -> {
                LiveMessage entry = readEntry(in);
                MessageId id = in.getId();
                record = new ReplicaRecord.Merged(id, copy(entry, published(in)));
            }
            case BACKFILLED -> {
                LiveMessage entry = readEntry(in);
                record = new ReplicaRecord.Backfilled(copy(entry, published(in)));
            }
            case QUEUED -> {
                MessageId id = in.getId();
                if (!(QueueEventCodec.decode(in.rest()) instanceof QueueEvent.Settled settled)) {
                    throw new CodecException("not a settle");
                }
                record = new ReplicaRecord.Queued(id, settled);
            }
            case PURGED -> {
                MessageId id = in.getId();
                RunSet kept = RunSet.read(in);
                if (!(QueueEventCodec.decode(in.rest()) instanceof QueueEvent.Purged purged)) {
                    throw new CodecException("not a purge");
                }
                record = new ReplicaRecord.Purged(id, purged, kept);
            }
            default -> record = decodeRest(type, in);
        }
        in.expectEnd();
        return record;
    }

    private static ReplicaRecord decodeRest(int type, RecordReader in) {
        return switch (type) {
            case LEARNED -> new ReplicaRecord.Learned(in.getId(), RunSet.read(in));
            case FREEZE -> new ReplicaRecord.Freeze(in.getId(), in.getVar());
            case THAW -> new ReplicaRecord.Thaw(in.getId());
            case RESENT -> new ReplicaRecord.Resent(in.getId(), Dedupe.readOrigin(in), in.getId());
            case CLOSED ->
                new ReplicaRecord.ChannelClosed(
                        in.getId(), new ChannelKey(in.getInt(), in.getVar(), in.getVar()), in.getFlag());
            case TRUNCATED -> new ReplicaRecord.Truncated(in.getId());
            case CUT_BEGUN -> new ReplicaRecord.CutBegun(in.getId(), Ends.read(in), Dedupe.read(in));
            case CUT -> new ReplicaRecord.Cut(in.getId(), in.getId(), RunSet.read(in), RunSet.read(in));
            case PASSED -> readPassed(in);
            case TWINS -> new ReplicaRecord.Twins(in.getId(), RunSet.read(in));
            case LETTERS_SETTLED ->
                new ReplicaRecord.LettersSettled(in.getId(), in.getVar(), in.getId(), RunSet.read(in));
            case HAND_OVER ->
                new ReplicaRecord.HandOver(in.getId(), in.getFlag(), in.getVar(), in.getFlag(), RunSet.read(in));
            default -> throw new CodecException("record of type " + type);
        };
    }

    private static ReplicaRecord.Passed readPassed(RecordReader in) {
        int count = in.getCount();
        List<ReplicaRecord.Passed.Publish> publishes = new ArrayList<>(count);
        for (int at = 0; at < count; at++) {
            publishes.add(new ReplicaRecord.Passed.Publish(Dedupe.readOrigin(in), in.getId(), in.getFlag()));
        }
        return new ReplicaRecord.Passed(publishes);
    }

    private static QueueEvent.Published published(RecordReader in) {
        if (QueueEventCodec.decode(in.rest()) instanceof QueueEvent.Published published) {
            return published;
        }
        throw new CodecException("not a publish");
    }

    /** The message of the event carries its origin. */
    private static QueueEvent.Published named(QueueEvent.Published event) {
        return new QueueEvent.Published(
                event.message().withOrigin(event.origin()),
                event.origin(),
                event.floor(),
                event.isAgain(),
                event.priority(),
                event.expiresAtMillis());
    }

    private static QueueEvent.Published event(MessageCopy copy) {
        return new QueueEvent.Published(
                copy.message(), copy.origin(), 0, copy.isRedelivered(), copy.priority(), copy.expiresAtMillis());
    }

    private static MessageCopy copy(LiveMessage entry, QueueEvent.Published event) {
        Origin origin = event.origin();
        return new MessageCopy(
                entry.id(),
                event.message().withOrigin(origin),
                origin,
                event.isAgain(),
                event.priority(),
                event.expiresAtMillis());
    }

    /** The message that a record of the journal brings, to be sent to another replica. */
    public static @Nullable MessageCopy copyOf(ReplicaRecord record) {
        if (record instanceof ReplicaRecord.Queued queued && queued.event() instanceof QueueEvent.Published event) {
            return new MessageCopy(
                    queued.id(),
                    event.message(),
                    event.origin(),
                    event.isAgain(),
                    event.priority(),
                    event.expiresAtMillis());
        } else if (record instanceof ReplicaRecord.Merged merged) {
            return merged.copy();
        } else if (record instanceof ReplicaRecord.Backfilled backfilled) {
            return backfilled.copy();
        }
        return null;
    }

    static void writeCopy(RecordWriter out, MessageCopy copy) {
        RecordWriter part = new RecordWriter(64 + copy.message().memoryBytes());
        write(part, new ReplicaRecord.Backfilled(copy));
        out.putVar(part.length());
        out.putBuffer(part.view());
    }

    static MessageCopy readCopy(RecordReader in) {
        if (decode(in.part(in.getInt())) instanceof ReplicaRecord.Backfilled backfilled) {
            return backfilled.copy();
        }
        throw new CodecException("not a copy of a message");
    }

    static void writeEntry(RecordWriter out, LiveMessage entry) {
        boolean hasDeadline = entry.expiresAtMillis() != LiveMessage.NEVER;
        out.putByte((entry.isPersistent() ? LiveMessage.PERSISTENT : 0)
                | (entry.isRedelivered() ? LiveMessage.REDELIVERED : 0)
                | (entry.hasOrigin() ? LiveMessage.HAS_ORIGIN : 0)
                | (entry.priority() != 0 ? HAS_PRIORITY : 0)
                | (hasDeadline ? HAS_DEADLINE : 0));
        out.putId(entry.id());
        out.putVar(entry.bodyBytes());
        if (entry.priority() != 0) {
            out.putByte(entry.priority());
        }
        if (hasDeadline) {
            out.putVar(entry.expiresAtMillis());
        }
    }

    static LiveMessage readEntry(RecordReader in) {
        int flags = in.getByte();
        if ((flags & ~FLAGS_KNOWN) != 0) {
            throw new CodecException("unknown flags " + flags);
        }
        MessageId id = in.getId();
        int bodyBytes = in.getInt();
        int priority = (flags & HAS_PRIORITY) != 0 ? in.getByte() : 0;
        long deadline = (flags & HAS_DEADLINE) != 0 ? in.getVar() : LiveMessage.NEVER;
        int kept = flags & ~(HAS_PRIORITY | HAS_DEADLINE);
        return new LiveMessage(id, LiveMessage.NO_POSITION, bodyBytes, kept, priority, deadline, null);
    }

    /** Reads what {@link #writeHead} told to describe the message: type and entry. The message itself stays in the journal. */
    static LiveMessage entry(ByteBuffer described) {
        byte[] bytes = new byte[described.remaining()];
        described.get(bytes);
        RecordReader in = new RecordReader(bytes);
        int type = in.getByte();
        if (type != PUBLISHED && type != MERGED && type != BACKFILLED) {
            throw new CodecException("no message in a record of type " + type);
        }
        LiveMessage entry = readEntry(in);
        in.expectEnd();
        return entry;
    }
}
