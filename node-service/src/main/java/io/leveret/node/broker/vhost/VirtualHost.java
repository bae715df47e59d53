package io.leveret.node.broker.vhost;

import io.leveret.model.ExchangeName;
import io.leveret.model.QueueName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.BindingDefinition.Destination;
import io.leveret.model.definition.BindingDefinition.Kind;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.queue.Publisher;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.vhost.VirtualHosts.Services;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One vhost: routing and enqueueing, and the declaring of exchanges, queues and bindings. Any thread. Permissions are the
 * caller's business; everything else that can be refused is refused here with a {@link BrokerException}, thrown by
 * {@link #route} and {@link #publish}, and inside the stages of all other methods. Stages complete on any thread, after
 * this node has applied the change itself.
 *
 * <p>{@code owner} is the id of the asking connection, {@code <node name>/<boot>/<number>}: it may use the exclusive queues that
 * it declared. Empty: nobody in particular, such as an administrator.
 */
public final class VirtualHost {
    private static final int NAME_BYTES = 16;

    private final VhostName name;
    private final Services services;
    private final LongAdder declares;
    private final Router router;
    private final QueueDeclarations queues;
    private final ExchangeDeclarations exchanges;

    /** @param declares counts the declarations of queues */
    VirtualHost(VhostName name, Services services, LongAdder declares) {
        this.name = name;
        this.services = services;
        this.declares = declares;
        Agreement agreement = new Agreement(services.definitions());
        this.router = new Router(name, services);
        this.queues = new QueueDeclarations(name, services, agreement);
        this.exchanges = new ExchangeDeclarations(services.definitions(), agreement);
    }

    public VhostName name() {
        return name;
    }

    /**
     * Where the message goes; does not wait. Throws NOT_FOUND when the exchange is unknown to this node: the caller may wait
     * for {@link #upToDate} once and try again.
     */
    public Routed route(Message message) {
        return router.route(message, true);
    }

    /** As {@link #route}, for what the broker itself publishes: an exchange may be internal. */
    public Routed routeInside(Message message) {
        return router.route(message, false);
    }

    /** The same queues as they are now: one that was deleted since is missing, one that was declared again is the new one. */
    public Routed current(Routed earlier) {
        return router.current(earlier);
    }

    /**
     * Routes the message and hands it to each queue. Each of them gives one answer for the number to the publisher, perhaps
     * before this method returns.
     *
     * @return how many queues took it; 0: unroutable
     */
    public int publish(Publisher publisher, long number, Message message) {
        Routed routed = route(message);
        for (QueueHandle queue : routed.queues()) {
            queue.publish(publisher, number, routed.message());
        }
        return routed.queues().size();
    }

    /** Whether it is a topic exchange: only for those, topic permissions count. False when unknown. */
    public boolean isTopic(String exchange) {
        ExchangeDefinition definition = services.definitions().image().exchange(new ExchangeName(name, exchange));
        return definition != null && definition.type().equals("topic");
    }

    /** Completes when this node knows everything that the cluster had agreed on when this was called. */
    public CompletionStage<Void> upToDate() {
        return services.definitions().upToDate().thenApply(image -> null);
    }

    /** A name that nobody else has: {@code amq.gen-} and 22 letters for the prefix {@code amq.gen}. */
    public String generateName(String prefix) {
        byte[] bytes = new byte[NAME_BYTES];
        services.randomness().fill(bytes);
        return prefix + "-" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    public CompletionStage<DeclaredQueue> declareQueue(QueueDeclaration declaration, String owner) {
        declares.increment();
        return queues.declare(declaration, owner);
    }

    /** A passive declare. */
    public CompletionStage<DeclaredQueue> inspectQueue(String queue, String owner) {
        return queues.inspect(queueName(queue), owner);
    }

    /** @return messages that went with it; 0 when there is no such queue */
    public CompletionStage<Long> deleteQueue(String queue, boolean isIfUnused, boolean isIfEmpty, String owner) {
        return queues.delete(queueName(queue), isIfUnused, isIfEmpty, owner);
    }

    /** @return messages removed */
    public CompletionStage<Long> purge(String queue, String owner) {
        return openQueue(queue, owner)
                .thenCompose(QueueHandle::purge)
                .exceptionallyCompose(fault -> Agreement.failed(Agreement.asRefusal(fault)));
    }

    /** The queue, for consuming or getting from it. */
    public CompletionStage<QueueHandle> openQueue(String queue, String owner) {
        return queues.open(queueName(queue), owner);
    }

    /** The queue's handle if this node knows it and the owner may use it: the fast path of {@link #openQueue}. */
    public @Nullable QueueHandle findQueue(String queue, String owner) {
        return queues.find(queueName(queue), owner);
    }

    public CompletionStage<Void> bindQueue(
            String queue, String exchange, String bindingKey, Map<String, Object> arguments, String owner) {
        return queues.checkAccess(queueName(queue), owner)
                .thenCompose(nothing -> exchanges.bind(binding(exchange, Kind.QUEUE, queue, bindingKey, arguments)));
    }

    public CompletionStage<Void> unbindQueue(
            String queue, String exchange, String bindingKey, Map<String, Object> arguments, String owner) {
        return queues.checkAccess(queueName(queue), owner)
                .thenCompose(nothing -> exchanges.unbind(binding(exchange, Kind.QUEUE, queue, bindingKey, arguments)));
    }

    public CompletionStage<Void> declareExchange(ExchangeDefinition definition) {
        return exchanges.declare(definition);
    }

    /** A passive declare. */
    public CompletionStage<Void> inspectExchange(String exchange) {
        return exchanges.inspect(new ExchangeName(name, exchange));
    }

    public CompletionStage<Void> deleteExchange(String exchange, boolean isIfUnused) {
        return exchanges.delete(new ExchangeName(name, exchange), isIfUnused);
    }

    public CompletionStage<Void> bindExchange(
            String destination, String source, String bindingKey, Map<String, Object> arguments) {
        return exchanges.bind(binding(source, Kind.EXCHANGE, destination, bindingKey, arguments));
    }

    public CompletionStage<Void> unbindExchange(
            String destination, String source, String bindingKey, Map<String, Object> arguments) {
        return exchanges.unbind(binding(source, Kind.EXCHANGE, destination, bindingKey, arguments));
    }

    /** The connection is gone: its exclusive queues go. Never fails; goes on trying while the cluster gives no answer. */
    public CompletionStage<Void> closeOwner(String owner) {
        return queues.closeOwner(owner);
    }

    private QueueName queueName(String queue) {
        return new QueueName(name, queue);
    }

    private BindingDefinition binding(
            String source, Kind kind, String destination, String bindingKey, Map<String, Object> arguments) {
        return new BindingDefinition(
                new ExchangeName(name, source), new Destination(kind, destination), bindingKey, arguments);
    }
}
