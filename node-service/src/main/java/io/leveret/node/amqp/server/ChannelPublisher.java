package io.leveret.node.amqp.server;

import io.leveret.node.amqp.server.ContentAssembler.Content;
import io.leveret.node.amqp.wire.AmqpException;
import io.leveret.node.amqp.wire.BasicMethod;
import io.leveret.node.amqp.wire.ReplyCode;
import io.leveret.node.broker.auth.Permission;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.message.Property;
import io.leveret.node.broker.queue.IdRuns;
import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.vhost.BrokerException;
import io.leveret.node.broker.vhost.ReplyAddress;
import io.leveret.node.broker.vhost.Routed;
import io.leveret.node.runtime.SerialExecutor;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The publishing half of a channel: checks, routes, hands to the queues, and confirms. Every publish is numbered, confirm
 * mode or not; each queue gives one answer per number.
 */
final class ChannelPublisher implements Publisher, PublisherConfirms.Sink {
    private static final String IMPERSONATOR = "impersonator";
    /** Queues published to before those that are gone are looked for and forgotten. */
    private static final int QUEUES_SWEPT_AT_MIN = 1024;
    /** What a run of ids takes. */
    private static final int RUN_BYTES = 24;

    private final AmqpChannel channel;
    private final ConnectionContext context;
    private final ChannelCounters counters;
    private final ChannelTransaction transaction;
    private final long serial;
    private final PublisherConfirms confirms;
    /** Where this channel has published, to say so when it closes. */
    private final Set<QueueHandle> queues = Collections.newSetFromMap(new IdentityHashMap<>());

    private int sweptAt = QUEUES_SWEPT_AT_MIN;

    @Nullable
    private QueueHandle lastQueue;

    /** An exchange that the user may write to, as seen in this batch. */
    @Nullable
    private String allowedExchange;

    private boolean isTopic;
    private boolean isBatchEndPlanned;
    private boolean isClosed;

    ChannelPublisher(
            AmqpChannel channel,
            ConnectionContext context,
            ChannelCounters counters,
            ChannelTransaction transaction,
            long serial) {
        this.channel = channel;
        this.context = context;
        this.counters = counters;
        this.transaction = transaction;
        this.serial = serial;
        this.confirms = new PublisherConfirms(context.window());
    }

    @Override
    public long channelSerial() {
        return serial;
    }

    @Override
    public SerialExecutor executor() {
        return context.executor();
    }

    void select() {
        if (transaction.isSelected()) {
            throw AmqpException.channel(ReplyCode.PRECONDITION_FAILED, "cannot switch from tx to confirm mode");
        }
        confirms.select();
    }

    boolean isConfirm() {
        return confirms.isSelected();
    }

    void publish(Content content) {
        BasicMethod.Publish method = content.method();
        if (method.isImmediate()) {
            throw AmqpException.connection(ReplyCode.NOT_IMPLEMENTED, "immediate=true");
        }
        if (!method.exchange().equals(allowedExchange)) {
            context.check(Permission.WRITE, context.exchange(method.exchange()));
            allowedExchange = method.exchange();
            isTopic = context.vhost().isTopic(method.exchange());
        }
        if (isTopic) {
            context.checkTopic(Permission.WRITE, context.exchange(method.exchange()), method.routingKey());
        }
        Message message = content.message();
        Routed routed;
        try {
            routed = context.vhost().route(message);
        } catch (BrokerException e) {
            if (e.kind() != BrokerException.Kind.NOT_FOUND) {
                throw e;
            }
            // Another node may have declared it just now.
            channel.await(
                    context.vhost().upToDate(),
                    nothing -> take(content, context.vhost().route(message)));
            return;
        }
        take(content, routed);
    }

    /**
     * Asks a queue something after what was published in the batch at hand has left for it: who publishes and then counts,
     * purges or deletes finds the own messages there. Never completes when the channel has been closed meanwhile.
     */
    <T> CompletionStage<T> afterPublishes(Supplier<CompletionStage<T>> question) {
        if (!isBatchEndPlanned) {
            return question.get();
        }
        CompletableFuture<CompletionStage<T>> asked = new CompletableFuture<>();
        context.executor().atEndOfBatch(() -> {
            if (!isClosed) {
                asked.complete(question.get());
            }
        });
        return asked.thenCompose(stage -> stage);
    }

    private void take(Content content, Routed routed) {
        Routed addressed = routed;
        if (!content.isPlain()) {
            checkProperties(routed.message());
            addressed = routed.with(channel.consumers().replies().withAddress(routed.message()));
        }
        if (transaction.isSelected()) {
            transaction.publish(content, addressed);
        } else {
            enqueue(content, addressed);
        }
    }

    /** Hands a publish to its queues, and numbers it. */
    void enqueue(Content content, Routed routed) {
        Message message = routed.message();
        counters.published++;
        List<QueueHandle> targets = routed.queues();
        counters.exchanges.published(message.exchange(), targets.size());
        long number = confirms.open(message.memoryBytes());
        if (targets.isEmpty()) {
            returnOrDrop(content.method(), message, routed.replies().isEmpty());
        }
        for (int i = 0; i < targets.size(); i++) {
            QueueHandle queue = targets.get(i);
            if (queue != lastQueue) {
                remember(queue);
            }
            queue.publish(this, number, message);
        }
        for (ReplyAddress each : routed.replies()) {
            context.replies().deliver(this, number, each, message);
        }
        confirms.routed(number, targets.size() + routed.replies().size());
        planBatchEnd();
        context.control().published();
    }

    /** Acks of a transaction: answered like a publish. */
    void settle(QueueHandle queue, IdRuns ids) {
        long number = confirms.open(RUN_BYTES * ids.count());
        remember(queue);
        queue.settle(this, number, ids);
        confirms.routed(number, 1);
        planBatchEnd();
    }

    long nextNumber() {
        return confirms.nextNumber();
    }

    /** Publishes and settles that are not answered. */
    int unanswered() {
        return confirms.waiting();
    }

    /** Answers to requests go to no queue: those are returned, too, and delivered all the same. */
    private void returnOrDrop(BasicMethod.Publish method, Message message, boolean isDropped) {
        if (!method.isMandatory()) {
            counters.droppedUnroutable += isDropped ? 1 : 0;
            return;
        }
        counters.returnedUnroutable++;
        channel.send(
                new BasicMethod.Return(
                        ReplyCode.NO_ROUTE.code(), ReplyCode.NO_ROUTE.name(), method.exchange(), method.routingKey()),
                message);
    }

    private void checkProperties(Message message) {
        MessageProperties properties = MessageProperties.of(message);
        String user = properties.text(Property.USER_ID);
        String login = context.login().user().value();
        if (user != null && !user.equals(login) && !context.login().tags().contains(IMPERSONATOR)) {
            throw AmqpException.channel(
                    ReplyCode.PRECONDITION_FAILED,
                    "user_id property set to '" + user + "' but authenticated user was '" + login + "'");
        }
        String expiration = properties.expiration();
        if (expiration != null) {
            String fault = Expiration.faultOf(expiration);
            if (fault != null) {
                throw AmqpException.channel(
                        ReplyCode.PRECONDITION_FAILED, "invalid expiration '" + expiration + "': " + fault);
            }
        }
        int deliveryMode = properties.deliveryMode();
        if (deliveryMode == 0 || deliveryMode > 2) {
            throw AmqpException.channel(
                    ReplyCode.PRECONDITION_FAILED, "invalid message: {delivery_mode_unknown," + deliveryMode + "}");
        }
    }

    @Override
    public void answered(long number, boolean isConfirmed) {
        confirms.answered(number, isConfirmed);
        if (isClosed) {
            return;
        }
        transaction.answered(number, isConfirmed);
        planBatchEnd();
        context.control().answered();
    }

    private void planBatchEnd() {
        if (!isBatchEndPlanned) {
            isBatchEndPlanned = true;
            context.executor().atEndOfBatch(this::endBatch);
        }
    }

    private void endBatch() {
        isBatchEndPlanned = false;
        allowedExchange = null;
        if (!isClosed) {
            counters.confirmed += confirms.collect(this);
            transaction.advance();
        }
    }

    @Override
    public void confirm(long deliveryTag, boolean isMultiple, boolean isConfirmed) {
        channel.send(
                isConfirmed
                        ? new BasicMethod.Ack(deliveryTag, isMultiple)
                        : new BasicMethod.Nack(deliveryTag, isMultiple, true));
    }

    private void remember(QueueHandle queue) {
        lastQueue = queue;
        if (queues.add(queue) && queues.size() >= sweptAt) {
            queues.removeIf(each -> context.vhost().findQueue(each.name().value(), context.owner()) != each);
            queues.add(queue);
            sweptAt = Math.max(QUEUES_SWEPT_AT_MIN, queues.size() * 2);
        }
    }

    /** The channel is closing. */
    void close() {
        isClosed = true;
        confirms.abandon();
        context.control().answered();
        queues.forEach(queue -> queue.publisherClosed(this));
        queues.clear();
    }

    int unconfirmed() {
        return confirms.isSelected() ? confirms.waiting() : 0;
    }
}
