package io.leveret.node.broker.vhost;

import io.leveret.model.QueueName;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageId;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.broker.queue.QueueCounts;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.queue.QueueStatistics;
import io.leveret.node.broker.queue.QueueUnavailableException;
import io.leveret.node.broker.queue.Subscriber;
import io.leveret.node.broker.queue.Subscription;
import io.leveret.node.broker.queue.SubscriptionOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The far side of the port: a queue that counts what it is given. */
final class StoredQueue implements QueueHandle {
    private final QueueName name;
    long ready;
    int consumers;
    boolean isUnavailable;
    boolean isRefusing;
    Runnable beforeCounts = () -> {};
    final List<Message> messages = new ArrayList<>();
    final List<String> settledLetters = new ArrayList<>();

    StoredQueue(QueueName name) {
        this.name = name;
    }

    @Override
    public QueueName name() {
        return name;
    }

    @Override
    public void publish(Publisher publisher, long number, Message message) {
        ready++;
        messages.add(message);
        publisher.answered(number, !isRefusing);
    }

    @Override
    public void settle(Publisher publisher, long number, IdRuns ids) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void publishAgain(Publisher publisher, long number, Message message) {
        publish(publisher, number, message);
    }

    @Override
    public void lettersSettled(Publisher publisher, MessageId floor, IdRuns letters) {
        settledLetters.add(floor + " " + letters);
    }

    @Override
    public void publisherClosed(Publisher publisher) {}

    @Override
    public CompletionStage<Subscription> subscribe(Subscriber subscriber, SubscriptionOptions options) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Long> get(Subscription passive) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<QueueCounts> counts() {
        beforeCounts.run();
        return isUnavailable ? unavailable() : CompletableFuture.completedFuture(new QueueCounts(ready, 0, consumers));
    }

    @Override
    public CompletionStage<Long> purge() {
        long purged = ready;
        ready = 0;
        return isUnavailable ? unavailable() : CompletableFuture.completedFuture(purged);
    }

    @Override
    public CompletionStage<QueueStatistics> statistics() {
        throw new UnsupportedOperationException();
    }

    private static <T> CompletionStage<T> unavailable() {
        return CompletableFuture.failedFuture(new QueueUnavailableException("no leader"));
    }
}
