package io.leveret.node.broker.queue;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.runtime.SerialExecutor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads bodies back before they are delivered: a window of at most {@link #MESSAGES_MAX} messages and {@link #BYTES_MAX}
 * bytes, the next one when half of it is used, one read at a time. Only while somebody wants deliveries. What is read is
 * attached, marked, and leaves memory again when it is delivered.
 *
 * <p>Owned by the queue's executor.
 */
final class ReadAhead {
    /** One large read of the disk. */
    static final int MESSAGES_MAX = 256;

    static final long BYTES_MAX = 1 << 20;
    private static final long BYTES_MIN = 64 * 1024;
    /** Messages in memory that are skipped in search of ones that are not, in one go. */
    private static final int SKIPPED_MAX = 1024;
    /** When the reader had nothing of what was asked for, which should not be, it is not asked again at once. */
    private static final long RETRY_NANOS = 50_000_000;

    private final SerialExecutor executor;
    private final LiveMessages live;
    private final BodyReader reader;
    private final MemoryBudget budget;
    private final Runnable readMore;
    private final MessageCursor frontier = new MessageCursor();
    private boolean isReading;
    private boolean isClosed;
    /** Read back, and as far as known not delivered yet. */
    private int left;

    /** @param readMore what to do when messages have arrived */
    ReadAhead(SerialExecutor executor, LiveMessages live, BodyReader reader, MemoryBudget budget, Runnable readMore) {
        this.executor = executor;
        this.live = live;
        this.reader = reader;
        this.budget = budget;
        this.readMore = readMore;
    }

    /** The next message to deliver is not in memory. */
    void need(MessageCursor head) {
        if (!isReading) {
            frontier.moveTo(head);
            left = 0;
            read();
        }
    }

    /** Deliveries are wanted, and the next message is at the cursor: keeps the window filled. */
    void advance(MessageCursor head) {
        if (isReading || left > MESSAGES_MAX / 2 || live.residentCount() == live.count()) {
            return;
        }
        if (frontier.isBefore(head)) {
            frontier.moveTo(head);
        }
        read();
    }

    /** A message that was read back is delivered. */
    void used() {
        left = Math.max(0, left - 1);
    }

    void close() {
        isClosed = true;
    }

    private void read() {
        long bytesMax = Math.max(BYTES_MIN, Math.min(BYTES_MAX, budget.queueBytesMax() / 2));
        List<BodyReader.Request> requests = new ArrayList<>();
        long bytes = 0;
        int skipped = 0;
        while (requests.size() < MESSAGES_MAX
                && bytes < bytesMax
                && skipped < SKIPPED_MAX
                && live.findReady(frontier)) {
            LiveChunk chunk = live.chunkAt(frontier);
            if (chunk.message(frontier.slot) == null) {
                requests.add(new BodyReader.Request(frontier.id(), chunk.position(frontier.slot)));
                bytes += chunk.bodyBytes(frontier.slot);
            } else {
                skipped++;
            }
            live.skip(frontier);
        }
        if (!requests.isEmpty()) {
            isReading = true;
            reader.read(requests, messages -> completed(requests, messages));
        }
    }

    private void completed(List<BodyReader.Request> requests, List<@Nullable Message> messages) {
        executor.assertInside();
        if (isClosed) {
            return;
        }
        int attached = 0;
        boolean isStuck = false;
        for (int i = 0; i < requests.size(); i++) {
            MessageId id = requests.get(i).id();
            Message message = messages.get(i);
            if (message != null) {
                attached += live.attachForDelivery(id, message) ? 1 : 0;
            } else {
                LiveMessage now = live.get(id);
                isStuck |= now != null && now.position() == requests.get(i).position();
            }
        }
        left += attached;
        if (attached == 0 && isStuck) {
            executor.schedule(this::goOn, RETRY_NANOS);
        } else {
            goOn();
        }
    }

    private void goOn() {
        isReading = false;
        if (!isClosed) {
            readMore.run();
        }
    }
}
