package io.leveret.node.broker.queue;

import io.leveret.model.QueueName;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A queue as a channel sees it: led on this node or on another, it is the same. Publishes are kept here until they are
 * answered, and brought to each new leader in order (PROTOCOL.md §9). Stages complete on any thread; they fail with
 * {@link QueueUnavailableException} when the queue has no leader.
 */
public interface QueueHandle {
    QueueName name();

    /** Called on the publisher's executor. One answer follows, now or later. */
    void publish(Publisher publisher, long number, Message message);

    /** As {@link #publish}, of a dead letter that was refused: a leader may have delivered it, though it could not confirm it. */
    void publishAgain(Publisher publisher, long number, Message message);

    /**
     * Acks messages by their ids, whoever leads now: the verdicts of a transaction. One answer follows, as to a publish:
     * confirmed when it is on disk, like everything that this channel told the queue before, that these messages are gone.
     * Refused when this cannot be promised. Called on the publisher's executor.
     *
     * @param number of the channel, as a publish has one
     * @param ids may be empty: then the answer is about what was told before
     */
    void settle(Publisher publisher, long number, IdRuns ids);

    /**
     * The channel closed. What it published is still answered: until then it takes memory. Dead letters that are not answered
     * are dropped: another leader of their source sends them.
     */
    void publisherClosed(Publisher publisher);

    /**
     * Dead letters of this publisher have left their source for good: no copy of them comes again. Called on the publisher's
     * executor; may be lost.
     *
     * @param floor so have all that are older
     */
    void lettersSettled(Publisher publisher, MessageId floor, IdRuns letters);

    /**
     * Opens a subscription; deliveries may come before the stage completes. Fails with {@link SubscriptionRefusedException}
     * when another consumer is exclusive, or this one wants to be and others exist.
     */
    CompletionStage<Subscription> subscribe(Subscriber subscriber, SubscriptionOptions options);

    /**
     * Takes one message for a passive subscription: a delivery to its subscriber, then the answer; with an empty queue the
     * answer alone.
     *
     * @return messages left ready, or -1 when the queue was empty
     */
    CompletionStage<Long> get(Subscription passive);

    CompletionStage<QueueCounts> counts();

    /** Removes what is ready. @return how many */
    CompletionStage<Long> purge();

    /** What the queue shows of itself in listings, or null while its leader does not answer. */
    CompletionStage<@Nullable QueueStatistics> statistics();
}
