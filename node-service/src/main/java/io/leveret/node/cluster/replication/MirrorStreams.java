package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.cluster.peer.PeerClass;
import io.leveret.node.cluster.peer.PeerLink;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gathers the events of a batch for the mirrors of one queue. An event is encoded once, for the journal and all mirrors; it
 * goes out in one frame per mirror with the others of its batch, or earlier when they are many. Owned by the queue's executor.
 */
final class MirrorStreams {
    /** What one frame holds, but for a single larger event: as much as the socket takes at a time. */
    private static final int FRAME_BYTES_MAX = 128 << 10;

    /** The events that one session is to get. */
    private static final class Gathered {
        final List<ByteBuffer> parts = new ArrayList<>();
        int events;
        int bytes;
    }

    private final QueueHost host;
    private final Map<MirrorSession, Gathered> gathered = new IdentityHashMap<>();

    MirrorStreams(QueueHost host) {
        this.host = host;
    }

    void add(ReplicaRecord.Event event, ByteBuffer head, List<MirrorSession> sessions, LeaderCore core) {
        Message message = ReplicaRecordCodec.tail(event);
        int size = head.remaining() + (message == null ? 0 : message.header().length + message.body().length);
        RecordWriter length = new RecordWriter(10);
        length.putVar(size);
        for (int i = 0; i < sessions.size(); i++) {
            MirrorSession session = sessions.get(i);
            Gathered events = gathered.computeIfAbsent(session, key -> new Gathered());
            events.parts.add(length.view());
            events.parts.add(head);
            if (message != null) {
                events.parts.add(ByteBuffer.wrap(message.header()));
                events.parts.add(ByteBuffer.wrap(message.body()));
            }
            events.events++;
            events.bytes += size;
            if (events.bytes > FRAME_BYTES_MAX) {
                send(session, events, core);
            }
        }
    }

    /** The sessions are to hear how far all is committed. */
    void touch(List<MirrorSession> sessions) {
        for (int i = 0; i < sessions.size(); i++) {
            gathered.computeIfAbsent(sessions.get(i), key -> new Gathered());
        }
    }

    boolean isEmpty() {
        return gathered.isEmpty();
    }

    /** Events that were appended before a message to the same mirror leave before it. */
    void flush(int node, LeaderCore core) {
        gathered.forEach((session, events) -> {
            if (session.node() == node && events.events > 0) {
                send(session, events, core);
            }
        });
    }

    /** The batch ends. */
    void flush(LeaderCore core) {
        gathered.forEach((session, events) -> send(session, events, core));
        gathered.clear();
    }

    private void send(MirrorSession session, Gathered events, LeaderCore core) {
        PeerLink link = host.link(session.node());
        if (link != null) {
            MessageId committed = core.committed();
            RecordWriter head = new RecordWriter(64);
            ReplicaMessageCodec.writeEventsHead(head, core.epoch(), session.id(), committed, events.events);
            ByteBuffer[] frame = new ByteBuffer[events.parts.size() + 2];
            frame[0] = host.frameHead();
            frame[1] = head.view();
            for (int i = 2; i < frame.length; i++) {
                frame[i] = events.parts.get(i - 2);
            }
            link.outbox(host.executor()).send(PeerClass.LIVE, ReplicationService.SERVICE, frame);
        }
        events.parts.clear();
        events.events = 0;
        events.bytes = 0;
    }
}
