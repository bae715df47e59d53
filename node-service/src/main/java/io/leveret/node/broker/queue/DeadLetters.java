package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages that leave their queue by the dead-letter exchange. They are out, and settled when their targets have committed.
 *
 * <pre>
 * waiting ──(body in memory, or read back)──► flying ──committed──► Settled(dead-lettered) ──committed──► targets may forget
 * </pre>
 *
 * Bounds: flying ≤ {@link #FLYING_MAX}; expiry and max-length pause at {@link #WAITING_MAX}; deliveries pause at {@link
 * #REJECTED_MAX}, when all that consumers get they reject.
 */
final class DeadLetters {
    static final int FLYING_MAX = 256;
    static final int WAITING_MAX = 1024;
    /** Two objects each: some megabytes. */
    static final int REJECTED_MAX = 1 << 16;
    /** What was refused and is not in the queue: beyond it, dead letters of refused publishes are dropped. */
    static final int REFUSED_MAX = 4096;

    private final LiveMessages live;
    private final BodyReader reader;
    private final DeadLetterSink sink;
    private final SettleBatch settled;
    private final Runnable goOn;
    private final ArrayDeque<Leaving> waiting = new ArrayDeque<>();
    private final IdRuns.Builder settling = new IdRuns.Builder();
    private final ArrayDeque<Left> left = new ArrayDeque<>();
    private int flying;
    private int flyingRefused;
    private boolean isReading;
    private boolean isClosed;
    /** All that is older has left, which is committed. */
    private MessageId floor = MessageId.ZERO;
    /** The next floor, when all up to there is committed. */
    private @Nullable MessageId nextFloor;

    private MessageId nextFloorAfter = MessageId.ZERO;

    private record Leaving(MessageId id, QueueEvent.Reason why) {}

    /** Dead letters that were settled by this event or an earlier one. */
    private record Left(MessageId event, IdRuns letters) {}

    /** @param goOn what to do when something was committed */
    DeadLetters(LiveMessages live, BodyReader reader, DeadLetterSink sink, SettleBatch settled, Runnable goOn) {
        this.live = live;
        this.reader = reader;
        this.sink = sink;
        this.settled = settled;
        this.goOn = goOn;
    }

    boolean isFull() {
        return waiting.size() >= WAITING_MAX;
    }

    /** Consumers reject faster than the targets take. */
    boolean isOverfull() {
        return waiting.size() >= REJECTED_MAX;
    }

    /** Messages that are on their way out. */
    int count() {
        return waiting.size() + flying;
    }

    /** The message is out already. */
    void add(long epoch, long index, QueueEvent.Reason why) {
        waiting.add(new Leaving(new MessageId(epoch, index), why));
    }

    /** A publish that was refused. */
    void rejected(Message message) {
        if (flyingRefused < REFUSED_MAX) {
            flyingRefused++;
            sink.deadLetter(null, message, QueueEvent.Reason.OVERFLOW, () -> flyingRefused--);
        }
    }

    /** Sends what may go, in the order it came. */
    void send() {
        List<Leaving> batch = new ArrayList<>();
        List<BodyReader.Request> requests = new ArrayList<>();
        while (!isReading && !isClosed && !waiting.isEmpty() && flying + batch.size() < FLYING_MAX) {
            Leaving next = waiting.remove();
            LiveMessage entry = live.get(next.id());
            if (entry == null) {
                continue;
            }
            Message message = entry.message();
            if (message != null && requests.isEmpty()) {
                fly(next, message);
            } else {
                batch.add(next);
                requests.add(new BodyReader.Request(next.id(), entry.position()));
            }
        }
        if (!batch.isEmpty()) {
            isReading = true;
            reader.read(requests, messages -> completed(batch, messages));
        }
    }

    private void completed(List<Leaving> batch, List<@Nullable Message> messages) {
        isReading = false;
        if (isClosed) {
            return;
        }
        for (int i = 0; i < batch.size(); i++) {
            LiveMessage entry = live.get(batch.get(i).id());
            Message message = entry != null && entry.message() != null ? entry.message() : messages.get(i);
            if (message != null) {
                fly(batch.get(i), message);
            } else {
                waiting.add(batch.get(i));
            }
        }
        goOn.run();
    }

    private void fly(Leaving leaving, Message message) {
        flying++;
        sink.deadLetter(leaving.id(), message, leaving.why(), () -> committed(leaving.id()));
    }

    private void committed(MessageId id) {
        if (!isClosed) {
            flying--;
            settled.add(id.epoch(), id.index(), QueueEvent.Reason.DEAD_LETTERED);
            settling.add(id.epoch(), id.index());
            goOn.run();
        }
    }

    /** What was settled so far is in the log. @param event at or behind the settles */
    void logged(MessageId event) {
        if (!settling.isEmpty()) {
            left.add(new Left(event, settling.build()));
        }
    }

    /**
     * Everything up to the point is committed, for good.
     *
     * @param end the last event there is
     */
    void committed(MessageId point, MessageId end) {
        Left first = left.peek();
        if (first == null || first.event().compareTo(point) > 0) {
            return;
        }
        moveFloor(point, end);
        IdRuns.Builder all = new IdRuns.Builder();
        while (first != null && first.event().compareTo(point) <= 0) {
            IdRuns letters = left.remove().letters();
            for (int run = 0; run < letters.count(); run++) {
                all.add(letters.epoch(run), letters.first(run), letters.last(run));
            }
            first = left.peek();
        }
        sink.settled(all.build(), floor);
    }

    /** The oldest message of now is the floor once all of now is committed: until then one that has left may come back. */
    private void moveFloor(MessageId point, MessageId end) {
        MessageId next = nextFloor;
        if (next != null && nextFloorAfter.compareTo(point) <= 0) {
            floor = next;
            next = null;
        }
        if (next == null) {
            LiveMessage oldest = live.first();
            nextFloor = oldest == null ? new MessageId(end.epoch(), end.index() + 1) : oldest.id();
            nextFloorAfter = end;
        }
    }

    void close() {
        isClosed = true;
        sink.close();
    }
}
