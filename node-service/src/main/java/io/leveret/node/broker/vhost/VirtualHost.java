package io.leveret.node.broker.vhost;

import io.leveret.model.VhostName;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.broker.queue.QueueHandle;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One vhost: routing and enqueueing, and the declaring of exchanges, queues and bindings. Any thread. Permissions are the
 * caller's business; everything else that can be refused is refused here with a {@link BrokerException}, thrown by
 * {@link #route} and {@link #publish}, and inside the stages of all other methods. Stages complete on any thread, after
 * this node has applied the change itself.
 *
 * <p>{@code owner} is the id of the asking connection: it may use the exclusive queues that it declared.
 */
public final class VirtualHost {
    public VhostName name() {
        throw new UnsupportedOperationException();
    }

    /**
     * Where the message goes; does not wait. Throws NOT_FOUND when the exchange is unknown to this node: the caller may wait
     * for {@link #upToDate} once and try again.
     */
    public Routed route(Message message) {
        throw new UnsupportedOperationException();
    }

    /**
     * Routes the message and hands it to each queue. Each of them gives one answer for the number to the publisher, perhaps
     * before this method returns.
     *
     * @return how many queues took it; 0: unroutable
     */
    public int publish(Publisher publisher, long number, Message message) {
        throw new UnsupportedOperationException();
    }

    /** Completes when this node knows everything that the cluster had agreed on when this was called. */
    public CompletionStage<Void> upToDate() {
        throw new UnsupportedOperationException();
    }

    /** A name that nobody else has: {@code amq.gen-} and 22 letters for the prefix {@code amq.gen}. */
    public String generateName(String prefix) {
        throw new UnsupportedOperationException();
    }

    public CompletionStage<DeclaredQueue> declareQueue(QueueDeclaration declaration, String owner) {
        throw new UnsupportedOperationException();
    }

    /** A passive declare. */
    public CompletionStage<DeclaredQueue> inspectQueue(String queue, String owner) {
        throw new UnsupportedOperationException();
    }

    /** @return messages that went with it; 0 when there is no such queue */
    public CompletionStage<Long> deleteQueue(String queue, boolean isIfUnused, boolean isIfEmpty, String owner) {
        throw new UnsupportedOperationException();
    }

    /** @return messages removed */
    public CompletionStage<Long> purge(String queue, String owner) {
        throw new UnsupportedOperationException();
    }

    /** The queue, for consuming or getting from it. */
    public CompletionStage<QueueHandle> openQueue(String queue, String owner) {
        throw new UnsupportedOperationException();
    }

    /** The queue's handle if this node knows it and the owner may use it: the fast path of {@link #openQueue}. */
    public @Nullable QueueHandle findQueue(String queue, String owner) {
        throw new UnsupportedOperationException();
    }

    public CompletionStage<Void> bindQueue(
            String queue, String exchange, String bindingKey, Map<String, Object> arguments, String owner) {
        throw new UnsupportedOperationException();
    }

    public CompletionStage<Void> unbindQueue(
            String queue, String exchange, String bindingKey, Map<String, Object> arguments, String owner) {
        throw new UnsupportedOperationException();
    }

    public CompletionStage<Void> declareExchange(ExchangeDefinition definition) {
        throw new UnsupportedOperationException();
    }

    /** A passive declare. */
    public CompletionStage<Void> inspectExchange(String exchange) {
        throw new UnsupportedOperationException();
    }

    public CompletionStage<Void> deleteExchange(String exchange, boolean isIfUnused) {
        throw new UnsupportedOperationException();
    }

    public CompletionStage<Void> bindExchange(
            String destination, String source, String bindingKey, Map<String, Object> arguments) {
        throw new UnsupportedOperationException();
    }

    public CompletionStage<Void> unbindExchange(
            String destination, String source, String bindingKey, Map<String, Object> arguments) {
        throw new UnsupportedOperationException();
    }

    /** The connection is gone: its exclusive queues go. Never fails. */
    public CompletionStage<Void> closeOwner(String owner) {
        throw new UnsupportedOperationException();
    }
}
