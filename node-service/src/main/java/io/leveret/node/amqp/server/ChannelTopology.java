package io.leveret.node.amqp.server;

import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.node.amqp.wire.AmqpException;
import io.leveret.node.amqp.wire.ExchangeMethod;
import io.leveret.node.amqp.wire.Method;
import io.leveret.node.amqp.wire.QueueMethod;
import io.leveret.node.amqp.wire.ReplyCode;
import io.leveret.node.broker.auth.Permission;
import io.leveret.node.broker.queue.QueueCounts;
import io.leveret.node.broker.vhost.DeclaredQueue;
import io.leveret.node.broker.vhost.QueueDeclaration;
import io.leveret.node.broker.vhost.ReplyAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The declaring half of a channel: permissions, names and answers; the rules are the vhost's. */
final class ChannelTopology {
    private final AmqpChannel channel;
    private final ConnectionContext context;
    private final ChannelPublisher publisher;
    private final DirectReplies replies;

    ChannelTopology(AmqpChannel channel, ConnectionContext context, ChannelPublisher publisher, DirectReplies replies) {
        this.channel = channel;
        this.context = context;
        this.publisher = publisher;
        this.replies = replies;
    }

    void declareExchange(ExchangeMethod.Declare method) {
        String name = withoutLineEnds(method.exchange());
        if (method.isPassive()) {
            channel.await(
                    context.vhost().inspectExchange(name),
                    nothing -> answer(method.isNoWait(), new ExchangeMethod.DeclareOk()));
            return;
        }
        context.check(Permission.CONFIGURE, context.exchange(name));
        ExchangeDefinition definition = new ExchangeDefinition(
                context.exchange(name),
                method.type(),
                method.isDurable(),
                method.isAutoDelete(),
                method.isInternal(),
                method.arguments());
        channel.await(
                checkAlternate(name, method.arguments())
                        .thenCompose(nothing -> context.vhost().declareExchange(definition)),
                nothing -> answer(method.isNoWait(), new ExchangeMethod.DeclareOk()));
    }

    /** Who declares an exchange anew must be allowed to have its messages go on; an exchange that is there asks nobody. */
    private CompletionStage<Void> checkAlternate(String name, Map<String, @Nullable Object> arguments) {
        if (arguments.get("alternate-exchange") instanceof String alternate) {
            try {
                context.check(Permission.READ, context.exchange(name));
                context.check(Permission.WRITE, context.exchange(alternate));
            } catch (AmqpException refusal) {
                return context.vhost().inspectExchange(name).exceptionallyCompose(fault -> {
                    boolean isNew = Faults.translate(fault).code() == ReplyCode.NOT_FOUND;
                    return CompletableFuture.failedFuture(isNew ? refusal : fault);
                });
            }
        }
        return CompletableFuture.completedFuture(null);
    }

    void deleteExchange(ExchangeMethod.Delete method) {
        String name = withoutLineEnds(method.exchange());
        context.check(Permission.CONFIGURE, context.exchange(name));
        channel.await(
                context.vhost().deleteExchange(name, method.isIfUnused()),
                nothing -> answer(method.isNoWait(), new ExchangeMethod.DeleteOk()));
    }

    void bindExchange(ExchangeMethod.Bind method) {
        String destination = withoutLineEnds(method.destination());
        String source = withoutLineEnds(method.source());
        checkExchangeBinding(destination, source, method.routingKey());
        channel.await(
                context.vhost().bindExchange(destination, source, method.routingKey(), method.arguments()),
                nothing -> answer(method.isNoWait(), new ExchangeMethod.BindOk()));
    }

    void unbindExchange(ExchangeMethod.Unbind method) {
        String destination = withoutLineEnds(method.destination());
        String source = withoutLineEnds(method.source());
        checkExchangeBinding(destination, source, method.routingKey());
        channel.await(
                context.vhost().unbindExchange(destination, source, method.routingKey(), method.arguments()),
                nothing -> answer(method.isNoWait(), new ExchangeMethod.UnbindOk()));
    }

    private void checkExchangeBinding(String destination, String source, String bindingKey) {
        context.check(Permission.WRITE, context.exchange(destination));
        context.check(Permission.READ, context.exchange(source));
        context.checkTopic(Permission.READ, context.exchange(source), bindingKey);
    }

    void declareQueue(QueueMethod.Declare method) {
        String name = withoutLineEnds(method.queue());
        if (ReplyAddress.isKept(name)) {
            inspectReplies(method, name);
            return;
        }
        if (method.isPassive()) {
            channel.await(
                    publisher.afterPublishes(() -> context.vhost().inspectQueue(name, context.owner())),
                    declared -> declared(method, declared.name().value(), declared.counts()));
            return;
        }
        boolean isServerNamed = name.isEmpty();
        String chosen = isServerNamed ? context.vhost().generateName("amq.gen") : name;
        context.check(Permission.CONFIGURE, context.queue(chosen));
        checkDeadLetterExchange(chosen, method.arguments());
        QueueDeclaration declaration = new QueueDeclaration(
                chosen,
                isServerNamed,
                method.isDurable(),
                method.isExclusive(),
                method.isAutoDelete(),
                method.arguments());
        CompletionStage<DeclaredQueue> declared =
                publisher.afterPublishes(() -> context.vhost().declareQueue(declaration, context.owner()));
        if (method.isExclusive()) {
            declared.whenComplete((queue, fault) -> context.executor().run(this::forgetIfGone));
        }
        channel.await(declared, queue -> declared(method, queue.name().value(), queue.counts()));
    }

    /** What was declared while the connection ended may have missed the deletion of its queues. */
    private void forgetIfGone() {
        if (context.control().isGone()) {
            context.vhost().closeOwner(context.owner());
        }
    }

    /** Passive or not: so a responder finds out whether the client still awaits its answer. */
    private void inspectReplies(QueueMethod.Declare method, String name) {
        channel.await(replies.isThere(name), isThere -> {
            if (!isThere) {
                throw AmqpException.channel(ReplyCode.NOT_FOUND, "no queue " + context.queue(name));
            }
            declared(method, name, new QueueCounts(0, 0, 1));
        });
    }

    private void checkDeadLetterExchange(String queue, Map<String, @Nullable Object> arguments) {
        if (arguments.get("x-dead-letter-exchange") instanceof String exchange
                && context.vhost().findQueue(queue, context.owner()) == null) {
            context.check(Permission.READ, context.queue(queue));
            context.check(Permission.WRITE, context.exchange(exchange));
        }
    }

    private void declared(QueueMethod.Declare method, String name, QueueCounts counts) {
        channel.rememberQueue(name);
        int ready = (int) Math.min(Integer.MAX_VALUE, counts.ready());
        answer(method.isNoWait(), new QueueMethod.DeclareOk(name, ready, counts.consumers()));
    }

    void bindQueue(QueueMethod.Bind method) {
        String queue = channel.resolveQueue(method.queue());
        String exchange = withoutLineEnds(method.exchange());
        String key = bindingKey(method.queue(), queue, method.routingKey());
        checkQueueBinding(queue, exchange, key);
        channel.await(
                context.vhost().bindQueue(queue, exchange, key, method.arguments(), context.owner()),
                nothing -> answer(method.isNoWait(), new QueueMethod.BindOk()));
    }

    void unbindQueue(QueueMethod.Unbind method) {
        String queue = channel.resolveQueue(method.queue());
        String exchange = withoutLineEnds(method.exchange());
        String key = bindingKey(method.queue(), queue, method.routingKey());
        checkQueueBinding(queue, exchange, key);
        channel.await(
                context.vhost().unbindQueue(queue, exchange, key, method.arguments(), context.owner()),
                nothing -> channel.send(new QueueMethod.UnbindOk()));
    }

    /** With neither queue nor key given, the name of the queue is the key, too. */
    private static String bindingKey(String askedQueue, String queue, String routingKey) {
        return askedQueue.isEmpty() && routingKey.isEmpty() ? queue : routingKey;
    }

    private void checkQueueBinding(String queue, String exchange, String bindingKey) {
        context.check(Permission.WRITE, context.queue(queue));
        context.check(Permission.READ, context.exchange(exchange));
        context.checkTopic(Permission.READ, context.exchange(exchange), bindingKey);
    }

    void purgeQueue(QueueMethod.Purge method) {
        String queue = channel.resolveQueue(method.queue());
        context.check(Permission.READ, context.queue(queue));
        channel.await(
                publisher.afterPublishes(() -> context.vhost().purge(queue, context.owner())),
                count -> answer(method.isNoWait(), new QueueMethod.PurgeOk(limited(count))));
    }

    void deleteQueue(QueueMethod.Delete method) {
        String queue = channel.resolveQueue(method.queue());
        context.check(Permission.CONFIGURE, context.queue(queue));
        channel.await(
                publisher.afterPublishes(() ->
                        context.vhost().deleteQueue(queue, method.isIfUnused(), method.isIfEmpty(), context.owner())),
                count -> answer(method.isNoWait(), new QueueMethod.DeleteOk(limited(count))));
    }

    private void answer(boolean isNoWait, Method method) {
        if (!isNoWait) {
            channel.send(method);
        }
    }

    private static int limited(long count) {
        return (int) Math.min(Integer.MAX_VALUE, count);
    }

    /** Names are taken without carriage returns and line feeds. */
    static String withoutLineEnds(String name) {
        if (name.indexOf('\n') < 0 && name.indexOf('\r') < 0) {
            return name;
        }
        return name.replace("\n", "").replace("\r", "");
    }
}
