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
 * waiting ──(body in memory, or read back)──► flying ──committed──► Settled(dead-lettered)
 * </pre>
 *
 * Bounds: flying ≤ {@link #FLYING_MAX}; expiry and max-length pause at {@link #WAITING_MAX}; what consumers reject is bounded
 * by what they had.
 */
final class DeadLetters {
    static final int FLYING_MAX = 256;
    static final int WAITING_MAX = 1024;

    private final LiveMessages live;
    private final BodyReader reader;
    private final DeadLetterSink sink;
    private final SettleBatch settled;
    private final Runnable goOn;
    private final ArrayDeque<Leaving> waiting = new ArrayDeque<>();
    private int flying;
    private boolean isReading;
    private boolean isClosed;

    private record Leaving(MessageId id, QueueEvent.Reason why) {}

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

    /** The message is out already. */
    void add(long epoch, long index, QueueEvent.Reason why) {
        waiting.add(new Leaving(new MessageId(epoch, index), why));
    }

    /** A publish that was refused. */
    void rejected(Message message) {
        sink.deadLetter(null, message, QueueEvent.Reason.OVERFLOW, () -> {});
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
            goOn.run();
        }
    }

    void close() {
        isClosed = true;
    }
}
