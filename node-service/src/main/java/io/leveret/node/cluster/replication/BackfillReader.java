package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.BodyReader;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.LiveMessages;
import io.leveret.node.cluster.peer.PeerClass;
import io.leveret.node.cluster.peer.PeerLink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads messages that another replica lacks, from memory or from the journal, and waits with it while the link has no credit
 * for backfill or memory is short. Owned by the queue's executor. Bound: one read for each mirror at a time, by the core.
 */
final class BackfillReader {
    private record Waiting(int node, List<LiveMessage> wanted, Consumer<List<MessageCopy>> then) {}

    private final QueueHost host;
    private final ReplicaContext context;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private boolean isClosed;

    BackfillReader(QueueHost host, ReplicaContext context) {
        this.host = host;
        this.context = context;
    }

    void read(MirrorSession session, List<LiveMessage> wanted, Consumer<List<MessageCopy>> then) {
        read(new Waiting(session.node(), wanted, then));
    }

    private void read(Waiting request) {
        if (isHeldBack(request.node())) {
            waiting.add(request);
        } else {
            read(host, request.wanted(), copies -> {
                if (!isClosed) {
                    request.then().accept(copies);
                }
            });
        }
    }

    private boolean isHeldBack(int node) {
        PeerLink link = host.link(node);
        return (link != null && !link.isWritable(PeerClass.BACKFILL)) || context.isBackfillPaused();
    }

    /** Credit came, an alarm ended, or time has passed. */
    void goOn() {
        for (int left = waiting.size(); left > 0; left--) {
            read(waiting.remove());
        }
    }

    void close() {
        isClosed = true;
        waiting.clear();
    }

    /** Reads what is wanted; the answer has what could be read, never in the call. */
    static void read(QueueHost host, List<LiveMessage> wanted, Consumer<List<MessageCopy>> then) {
        List<MessageCopy> copies = new ArrayList<>();
        List<LiveMessage> onDisk = new ArrayList<>();
        List<BodyReader.Request> requests = new ArrayList<>();
        LiveMessages live = host.state().queue().live();
        for (LiveMessage each : wanted) {
            LiveMessage now = live.get(each.id());
            LiveMessage entry = now == null ? each : now;
            if (entry.message() != null) {
                copies.add(ReplicaCore.copy(entry, entry.message()));
            } else if (entry.position() != LiveMessage.NO_POSITION) {
                onDisk.add(entry);
                requests.add(new BodyReader.Request(entry.id(), entry.position()));
            }
        }
        if (requests.isEmpty()) {
            host.executor().execute(() -> then.accept(copies));
            return;
        }
        host.disk().read(requests, messages -> {
            for (int i = 0; i < onDisk.size(); i++) {
                Message message = messages.get(i);
                if (message != null) {
                    copies.add(ReplicaCore.copy(onDisk.get(i), message));
                }
            }
            copies.sort((a, b) -> a.id().compareTo(b.id()));
            then.accept(copies);
        });
    }
}
