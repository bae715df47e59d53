package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.LiveMessage;
import io.leveret.node.broker.queue.QueueEvent;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event that is not known to be committed, with all that is needed to undo it. */
final class TailEvent {
    private static final byte[] NONE = new byte[0];

    /** While records are read back, without the body of its message. */
    ReplicaRecord.Event event;
    /** What left the queue by it: an undone event puts it back. */
    List<LiveMessage> removed = List.of();
    /** Ids other than the event's own whose fate became known by it. */
    @Nullable
    RunSet learned;
    /** Published: what {@link Dedupe#accept} returned. */
    long highestBefore;
    /** An entry of {@link Dedupe#noteResent} is to be taken back, to this. */
    @Nullable
    MessageId resentBefore;

    boolean hasResent;
    /** Thaw: what it ended. */
    Dedupe.@Nullable Frozen frozen;
    /** Merged: the message was put in by it, and its origin noted. */
    boolean isMergedIn;

    boolean isOriginAdded;
    /** What it settled of transient messages is written down. */
    boolean isJournalled;

    TailEvent(ReplicaRecord.Event event) {
        this.event = event;
    }

    void addRemoved(LiveMessage entry) {
        if (removed.isEmpty()) {
            removed = new ArrayList<>(2);
        }
        removed.add(entry);
    }

    /** Keeps a message that arrived after its settle. @return false when it is not this event that settled it */
    boolean keep(LiveMessage entry) {
        if (learned == null || !learned.contains(entry.id())) {
            return false;
        }
        learned.remove(entry.id());
        addRemoved(entry);
        return true;
    }

    /** The message that was kept just now, if any was, has its record: an event that is undone puts it back with its place. */
    static void placeKept(Deque<TailEvent> tail, LiveMessage placed) {
        for (Iterator<TailEvent> newestFirst = tail.descendingIterator(); newestFirst.hasNext(); ) {
            List<LiveMessage> kept = newestFirst.next().removed;
            int last = kept.size() - 1;
            if (last >= 0 && kept.get(last).id().equals(placed.id())) {
                kept.set(last, placed);
                return;
            }
        }
    }

    /** What the tail holds because of it, in bytes. */
    long bytes() {
        long bytes = 0;
        for (LiveMessage each : removed) {
            bytes += each.bodyBytes();
        }
        if (event instanceof ReplicaRecord.Queued queued && queued.event() instanceof QueueEvent.Published published) {
            bytes += published.message().memoryBytes();
        } else if (event instanceof ReplicaRecord.Merged merged && isMergedIn) {
            bytes += merged.copy().message().memoryBytes();
        }
        return bytes;
    }

    /** The event without header and body of its message: the journal has them. */
    ReplicaRecord.Event bodiless() {
        if (event instanceof ReplicaRecord.Queued queued && queued.event() instanceof QueueEvent.Published published) {
            QueueEvent.Published stripped = new QueueEvent.Published(
                    bodiless(published.message()),
                    published.origin(),
                    published.floor(),
                    published.isAgain(),
                    published.priority(),
                    published.expiresAtMillis());
            return new ReplicaRecord.Queued(queued.id(), stripped);
        }
        if (event instanceof ReplicaRecord.Merged merged) {
            MessageCopy copy = merged.copy();
            MessageCopy stripped = new MessageCopy(
                    copy.id(),
                    bodiless(copy.message()),
                    copy.origin(),
                    copy.isRedelivered(),
                    copy.priority(),
                    copy.expiresAtMillis());
            return new ReplicaRecord.Merged(merged.id(), stripped);
        }
        return event;
    }

    private static Message bodiless(Message message) {
        return new Message(message.exchange(), message.routingKey(), NONE, NONE, message.isPersistent())
                .withOrigin(message.origin());
    }

    /** Keeps of a published message what undoing it needs: many are held while records are read back. */
    void forgetMessage() {
        if (event instanceof ReplicaRecord.Queued queued && queued.event() instanceof QueueEvent.Published published) {
            Message message = published.message();
            QueueEvent.Published stripped = new QueueEvent.Published(
                    new Message("", "", NONE, NONE, message.isPersistent()).withOrigin(message.origin()),
                    published.origin(),
                    published.floor(),
                    published.isAgain(),
                    published.priority(),
                    published.expiresAtMillis());
            event = new ReplicaRecord.Queued(queued.id(), stripped);
        } else {
            event = bodiless();
        }
    }
}
