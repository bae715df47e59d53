package io.leveret.node.cluster.replication;

import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.LetterSource;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The publishes of one channel to one queue, from the moment they are routed until they are answered (PROTOCOL.md §9). Also
 * when the leader is on this node: leadership can move away under it.
 *
 * <pre>
 * no session ──leader known──► Open, all unanswered in order ──► session: each new publish is sent at once
 *     ▲                                                             │
 *     └── another leader, epoch or connection · NotLeader ──────────┘
 * publish, settle ──► answered by the queue · deadline passed: nack · queue deleted: ack
 * closed  ──► when all is answered: Close, itself answered, then finished
 * </pre>
 *
 * Owned by the channel's executor. Bound: the channel's window, which counts what is unanswered. No clock of its own: times
 * are given.
 */
public final class OriginCore {
    private static final int START = 8;
    /** Stands for an epoch in which it may have been sent under another number. */
    private static final long EARLIEST_EPOCH = 1;
    /** A century. */
    private static final long NO_DEADLINE = Long.MAX_VALUE / 3;
    /** A minute: then nobody is told of the end. */
    private static final long CLOSE_NANOS_MAX = 60_000_000_000L;

    private final ChannelKey channel;
    private final OriginOutput output;
    private final Rules rules;
    private final long deadlineNanos;
    private final @Nullable LetterSource source;

    /**
     * A ring of what is unanswered, oldest first: a message, or the ids that a transaction acked. An answered entry has
     * neither and leaves when it is the oldest.
     */
    private long[] numbers = new long[START];

    private @Nullable Object[] contents = new Object[START];
    /** The epoch in which it was sent first; 0: it was not sent. */
    private long[] sentFirst = new long[START];

    private long[] deadlines = new long[START];
    private int head;
    private int count;
    private int unanswered;
    private long last;

    private int leader = ReplicaSet.NOBODY;
    private long epoch;
    private long connection;
    private long session;
    private boolean isOpen;
    private boolean isClosing;
    private boolean isCloseSent;
    private boolean isFinished;
    private boolean isDeleted;
    private boolean hasCloseDeadline;
    private long closeDeadline;

    /** @param deadlineNanos how long a publish may wait for its answer */
    public OriginCore(ChannelKey channel, long deadlineNanos, OriginOutput output) {
        this(channel, deadlineNanos, output, Rules.ALL);
    }

    /** Of a publisher of dead letters: they have no deadline. */
    public OriginCore(ChannelKey channel, LetterSource source, OriginOutput output) {
        this(channel, NO_DEADLINE, output, Rules.ALL, source);
    }

    OriginCore(ChannelKey channel, long deadlineNanos, OriginOutput output, Rules rules) {
        this(channel, deadlineNanos, output, rules, null);
    }

    OriginCore(
            ChannelKey channel, long deadlineNanos, OriginOutput output, Rules rules, @Nullable LetterSource source) {
        this.source = source;
        this.channel = channel;
        this.deadlineNanos = deadlineNanos;
        this.output = output;
        this.rules = rules;
    }

    /** What is not answered yet. */
    public int unanswered() {
        return unanswered;
    }

    /** A new publish; numbers grow. */
    public void publish(long number, Message message, long nowNanos) {
        publish(number, message, false, nowNanos);
    }

    /** A new publish; numbers grow. @param isAgain it is, under a new number, one that was refused before */
    public void publish(long number, Message message, boolean isAgain, long nowNanos) {
        add(number, message, isAgain, nowNanos);
    }

    /** Acks of a transaction, by id; the number is one like those of publishes. */
    public void settle(long number, IdRuns ids, long nowNanos) {
        add(number, ids, false, nowNanos);
    }

    private void add(long number, Object content, boolean wasSent, long nowNanos) {
        if (number <= last) {
            throw new IllegalStateException("publish " + number + " after " + last);
        }
        last = number;
        if (isDeleted) {
            output.answered(number, true);
            return;
        }
        if (count == numbers.length) {
            grow();
        }
        int slot = slot(count++);
        numbers[slot] = number;
        contents[slot] = content;
        sentFirst[slot] = wasSent ? EARLIEST_EPOCH : 0;
        deadlines[slot] = nowNanos + deadlineNanos;
        unanswered++;
        if (isOpen) {
            send(slot);
        }
    }

    /**
     * Where the queue is led now.
     *
     * @param leaderNode {@link ReplicaSet#NOBODY} while it cannot be reached
     * @param connectionNumber names the connection to that node; another number is another connection
     */
    public void leader(int leaderNode, long leaderEpoch, long connectionNumber) {
        if (leaderNode == leader && leaderEpoch == epoch && connectionNumber == connection) {
            return;
        }
        if (!rules.has(Rule.OWN_PUBLISHES_ARE_KEPT) && leader == channel.node()) {
            dropSent();
        }
        leader = leaderNode;
        epoch = leaderEpoch;
        connection = connectionNumber;
        isOpen = false;
        open();
    }

    /** A session is begun again with the same leader, if it was lost; to be called after a pause when NotLeader came. */
    public void retry() {
        if (!isOpen) {
            open();
        }
    }

    /** What a leader on this node would have taken with it. */
    private void dropSent() {
        while (count > 0 && sentFirst[head] != 0) {
            contents[head] = null;
            tidy();
        }
    }

    private void open() {
        if (leader == ReplicaSet.NOBODY || isFinished || isDeleted) {
            return;
        }
        isOpen = true;
        isCloseSent = false;
        session++;
        output.send(
                leader,
                source == null
                        ? new OriginMessage.Open(channel, epoch, session)
                        : new OriginMessage.Open(channel, epoch, session, source.incarnation(), source.epoch()));
        if (rules.has(Rule.RESEND_IN_ORDER)) {
            resend();
        } else {
            for (int at = count - 1; at >= 0 && isOpen; at--) {
                send(slot(at));
            }
        }
        closeIfEmpty();
    }

    /** A leader on this node may answer at once, which changes the ring: the place is looked up for each. */
    private void resend() {
        int at = 0;
        while (isOpen && at < count) {
            long number = numbers[slot(at)];
            send(slot(at));
            at = lowerBound(number + 1);
        }
    }

    private void send(int slot) {
        Object content = contents[slot];
        long firstEpoch = sentFirst[slot];
        if (firstEpoch == 0) {
            sentFirst[slot] = epoch;
        }
        if (content instanceof Message message) {
            long again = rules.has(Rule.RESEND_IS_FLAGGED) ? firstEpoch : 0;
            output.send(
                    leader,
                    new OriginMessage.Publish(channel, epoch, session, numbers[slot], numbers[head], again, message));
        } else if (content instanceof IdRuns ids) {
            output.send(leader, new OriginMessage.Settle(channel, epoch, session, numbers[slot], ids));
        }
    }

    /** An answer, or a refusal of a session: then {@link #retry} after a pause. */
    public void received(OriginMessage.ToOrigin message) {
        if (message instanceof OriginMessage.Answered answered) {
            answered(answered.from(), answered.to(), answered.isConfirmed());
        } else if (message instanceof OriginMessage.NotLeader refused) {
            if (refused.session() == session && refused.epoch() == epoch) {
                isOpen = false;
            }
        }
    }

    /** Whether a session is open; if not, {@link #retry} or another leader is waited for. */
    public boolean isOpen() {
        return isOpen;
    }

    private void answered(long from, long to, boolean isConfirmed) {
        for (int at = lowerBound(from); at < count; at++) {
            int slot = slot(at);
            if (numbers[slot] > to) {
                break;
            }
            settle(slot, isConfirmed);
        }
        if (isClosing && isCloseSent && from <= last + 1 && to > last) {
            finish();
            return;
        }
        tidy();
    }

    private void settle(int slot, boolean isConfirmed) {
        if (contents[slot] != null) {
            contents[slot] = null;
            unanswered--;
            output.answered(numbers[slot], isConfirmed);
        }
    }

    private void tidy() {
        while (count > 0 && contents[head] == null) {
            head = (head + 1) & (numbers.length - 1);
            count--;
        }
        closeIfEmpty();
    }

    /** Refuses what waited longer than the deadline. To be called now and then. */
    public void tick(long nowNanos) {
        while (count > 0 && deadlines[head] - nowNanos <= 0) {
            settle(head, false);
            head = (head + 1) & (numbers.length - 1);
            count--;
        }
        if (isClosing && count == 0 && !hasCloseDeadline) {
            hasCloseDeadline = true;
            closeDeadline = nowNanos + Math.min(deadlineNanos, CLOSE_NANOS_MAX);
        }
        // An end that cannot be told is no loss: the leader forgets the channel with the node's next boot.
        if (hasCloseDeadline && closeDeadline - nowNanos <= 0) {
            finish();
            return;
        }
        tidy();
    }

    /** The queue was deleted: what was published to it is as good as consumed. */
    public void deleted() {
        isDeleted = true;
        isOpen = false;
        for (int at = 0; at < count; at++) {
            settle(slot(at), true);
        }
        count = 0;
        if (isClosing) {
            finish();
        }
    }

    /** Dead letters have left their source for good. Who is not reached now remembers them until an older floor passes. */
    public void lettersSettled(MessageId floor, IdRuns letters) {
        if (isOpen && source != null) {
            output.send(
                    leader,
                    new OriginMessage.LettersSettled(
                            channel, epoch, session, source.incarnation(), floor, RunSet.of(letters)));
        }
    }

    /** The channel publishes no more. Dead letters that are not answered are another leader's business. */
    public void close() {
        isClosing = true;
        if (source != null) {
            Arrays.fill(contents, null);
            unanswered = 0;
            tidy();
        }
        closeIfEmpty();
    }

    private void closeIfEmpty() {
        if (!isClosing || count > 0 || isFinished) {
            return;
        }
        if (last == 0) {
            finish();
        } else if (isOpen && !isCloseSent) {
            isCloseSent = true;
            output.send(leader, new OriginMessage.Close(channel, epoch, session, last + 1));
        }
    }

    private void finish() {
        if (!isFinished) {
            isFinished = true;
            isOpen = false;
            output.finished();
        }
    }

    private int lowerBound(long number) {
        int low = 0;
        int high = count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (numbers[slot(middle)] < number) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int slot(int at) {
        return (head + at) & (numbers.length - 1);
    }

    private void grow() {
        int first = numbers.length - head;
        long[] moreNumbers = new long[2 * count];
        @Nullable Object[] moreContents = new Object[2 * count];
        long[] moreSent = new long[2 * count];
        long[] moreDeadlines = new long[2 * count];
        copyTwice(numbers, moreNumbers, first);
        copyTwice(contents, moreContents, first);
        copyTwice(sentFirst, moreSent, first);
        copyTwice(deadlines, moreDeadlines, first);
        numbers = moreNumbers;
        contents = moreContents;
        sentFirst = moreSent;
        deadlines = moreDeadlines;
        head = 0;
    }

    @SuppressWarnings("SuspiciousSystemArraycopy") // arrays of one kind, given in pairs
    private void copyTwice(Object ring, Object larger, int first) {
        System.arraycopy(ring, head, larger, 0, first);
        System.arraycopy(ring, 0, larger, first, head);
    }
}
