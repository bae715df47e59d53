package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.CodecException;
import io.leveret.node.cluster.replication.ReplicaMessage.SessionId;
import java.util.ArrayList;
import java.util.List;

/**
 * The encoding of {@link ReplicaMessage}s inside a peer frame.
 *
 * <pre>
 * message = type(1) epoch session …        session = boot generation hello, all varints
 * events  = 4 epoch session committed count, then per event: length record
 * </pre>
 */
public final class ReplicaMessageCodec {
    private static final int HELLO = 1;
    private static final int ADOPT = 2;
    private static final int CUT_BEGIN = 3;
    private static final int EVENTS = 4;
    private static final int SURVEY = 5;
    private static final int HELD = 6;
    private static final int COMPARED = 7;
    private static final int WANT = 8;
    private static final int BROUGHT = 9;
    private static final int BACKFILL = 10;
    private static final int DROP = 11;
    private static final int ANSWER = 12;

    private ReplicaMessageCodec() {}

    /** The whole message. */
    public static byte[] encode(ReplicaMessage message) {
        RecordWriter out = new RecordWriter(128);
        write(out, message);
        return out.toByteArray();
    }

    /** Writes a message of events up to its events: each follows as its length (varint) and its record. */
    static void writeEventsHead(RecordWriter out, long epoch, SessionId session, MessageId committed, int count) {
        start(out, EVENTS, epoch, session);
        out.putId(committed);
        out.putVar(count);
    }

    private static void start(RecordWriter out, int type, long epoch, SessionId session) {
        out.putByte(type);
        out.putVar(epoch);
        out.putVar(session.boot());
        out.putVar(session.generation());
        out.putVar(session.hello());
    }

    private static void write(RecordWriter out, ReplicaMessage message) {
        if (message instanceof ReplicaMessage.ToLeader toLeader) {
            writeToLeader(out, toLeader);
        } else if (message instanceof ReplicaMessage.ToMirror toMirror) {
            writeToMirror(out, toMirror);
        }
    }

    private static void writeToLeader(RecordWriter out, ReplicaMessage.ToLeader message) {
        if (message instanceof ReplicaMessage.Hello hello) {
            start(out, HELLO, hello.epoch(), hello.session());
            hello.ends().write(out);
            out.putId(hello.baseEnd());
            hello.tail().write(out);
        } else if (message instanceof ReplicaMessage.Held held) {
            start(out, HELD, held.epoch(), held.session());
            out.putId(held.from());
            out.putId(held.to());
            held.live().write(out);
            held.known().write(out);
        } else if (message instanceof ReplicaMessage.Brought brought) {
            start(out, BROUGHT, brought.epoch(), brought.session());
            brought.covered().write(out);
            writeCopies(out, brought.copies());
        } else if (message instanceof ReplicaMessage.Answer answer) {
            start(out, ANSWER, answer.epoch(), answer.session());
            out.putId(answer.received());
            out.putId(answer.durable());
            out.putVar(answer.controls());
            out.putVar(answer.durableControls());
        }
    }

    private static void writeToMirror(RecordWriter out, ReplicaMessage.ToMirror message) {
        if (message instanceof ReplicaMessage.Events events) {
            writeEventsHead(
                    out,
                    events.epoch(),
                    events.session(),
                    events.committed(),
                    events.events().size());
            for (ReplicaRecord.Event each : events.events()) {
                byte[] record = ReplicaRecordCodec.encode(each);
                out.putBytes(record);
            }
        } else if (message instanceof ReplicaMessage.Adopt adopt) {
            start(out, ADOPT, adopt.epoch(), adopt.session());
            out.putId(adopt.point());
            out.putId(adopt.committed());
        } else if (message instanceof ReplicaMessage.CutBegin cut) {
            start(out, CUT_BEGIN, cut.epoch(), cut.session());
            out.putId(cut.end());
            out.putId(cut.committed());
            cut.ends().write(out);
            cut.dedupe().write(out);
            cut.fleeting().write(out);
        } else if (message instanceof ReplicaMessage.Survey survey) {
            start(out, SURVEY, survey.epoch(), survey.session());
            out.putId(survey.end());
        } else if (message instanceof ReplicaMessage.Compared compared) {
            start(out, COMPARED, compared.epoch(), compared.session());
            out.putVar(compared.control());
            out.putId(compared.from());
            out.putId(compared.to());
            compared.drop().write(out);
            compared.known().write(out);
        } else if (message instanceof ReplicaMessage.Want want) {
            start(out, WANT, want.epoch(), want.session());
            out.putId(want.to());
            want.ids().write(out);
        } else if (message instanceof ReplicaMessage.Backfill backfill) {
            start(out, BACKFILL, backfill.epoch(), backfill.session());
            out.putVar(backfill.control());
            writeCopies(out, backfill.copies());
        } else if (message instanceof ReplicaMessage.Drop drop) {
            start(out, DROP, drop.epoch(), drop.session());
            out.putVar(drop.control());
            drop.ids().write(out);
        }
    }

    private static void writeCopies(RecordWriter out, List<MessageCopy> copies) {
        out.putVar(copies.size());
        copies.forEach(each -> ReplicaRecordCodec.writeCopy(out, each));
    }

    private static List<MessageCopy> readCopies(RecordReader in) {
        int count = in.getCount();
        List<MessageCopy> copies = new ArrayList<>(count);
        for (int at = 0; at < count; at++) {
            copies.add(ReplicaRecordCodec.readCopy(in));
        }
        return copies;
    }

    /** Reads one message. @throws CodecException when the bytes are not one */
    public static ReplicaMessage decode(byte[] bytes, int offset, int length) {
        RecordReader in = new RecordReader(bytes, offset, length);
        int type = in.getByte();
        long epoch = in.getVar();
        SessionId session = new SessionId(in.getVar(), in.getVar(), in.getVar());
        ReplicaMessage message = switch (type) {
            case HELLO -> new ReplicaMessage.Hello(epoch, session, Ends.read(in), in.getId(), RunSet.read(in));
            case ADOPT -> new ReplicaMessage.Adopt(epoch, session, in.getId(), in.getId());
            case CUT_BEGIN ->
                new ReplicaMessage.CutBegin(
                        epoch, session, in.getId(), in.getId(), Ends.read(in), Dedupe.read(in), RunSet.read(in));
            case EVENTS -> new ReplicaMessage.Events(epoch, session, in.getId(), readEvents(in));
            case SURVEY -> new ReplicaMessage.Survey(epoch, session, in.getId());
            case HELD ->
                new ReplicaMessage.Held(epoch, session, in.getId(), in.getId(), RunSet.read(in), RunSet.read(in));
            case COMPARED ->
                new ReplicaMessage.Compared(
                        epoch, session, in.getVar(), in.getId(), in.getId(), RunSet.read(in), RunSet.read(in));
            case WANT -> new ReplicaMessage.Want(epoch, session, in.getId(), RunSet.read(in));
            case BROUGHT -> new ReplicaMessage.Brought(epoch, session, RunSet.read(in), readCopies(in));
            case BACKFILL -> new ReplicaMessage.Backfill(epoch, session, in.getVar(), readCopies(in));
            case DROP -> new ReplicaMessage.Drop(epoch, session, in.getVar(), RunSet.read(in));
            case ANSWER -> new ReplicaMessage.Answer(epoch, session, in.getId(), in.getId(), in.getVar(), in.getVar());
            default -> throw new CodecException("a replica message of type " + type);
        };
        in.expectEnd();
        return message;
    }

    private static List<ReplicaRecord.Event> readEvents(RecordReader in) {
        int count = in.getCount();
        List<ReplicaRecord.Event> events = new ArrayList<>(count);
        for (int at = 0; at < count; at++) {
            if (!(ReplicaRecordCodec.decode(in.part(in.getInt())) instanceof ReplicaRecord.Event event)) {
                throw new CodecException("not an event");
            }
            events.add(event);
        }
        return events;
    }
}
