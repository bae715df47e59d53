package io.leveret.node.broker.vhost;

import io.leveret.model.QueueName;
import io.leveret.model.ShortString;
import io.leveret.model.VhostName;
import io.leveret.node.broker.exchange.CopyHeaders;
import io.leveret.node.broker.exchange.Routing;
import io.leveret.node.broker.message.Message;
import io.leveret.node.broker.message.MessageProperties;
import io.leveret.node.broker.queue.QueueHandle;
import io.leveret.node.broker.vhost.BrokerException.Kind;
import io.leveret.node.broker.vhost.VirtualHosts.Services;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Routes the messages of one vhost. Any thread. The usual message, without copy headers and to an exchange that does not look at
 * headers, costs two look-ups and one per queue; its properties are not even decoded. Handles are asked for each time, since a
 * queue that was deleted and declared again has another.
 */
final class Router {
    /** Queue names remembered for the default exchange; beyond it they are made anew. */
    private static final int NAMES_MAX = 10_000;

    private final VhostName vhost;
    private final Services services;
    private final ExchangeCache exchanges;
    private final Map<String, QueueName> names = new ConcurrentHashMap<>();

    Router(VhostName vhost, Services services) {
        this.vhost = vhost;
        this.services = services;
        this.exchanges = new ExchangeCache(vhost);
    }

    /** @param isFromOutside whether internal exchanges refuse the message */
    Routed route(Message message, boolean isFromOutside) {
        boolean hasCopies = CopyHeaders.mayBeIn(message.header());
        if (message.exchange().isEmpty()) {
            return hasCopies ? routeCopies(message, null) : toQueue(message);
        }
        ExchangeCache.Entry entry =
                exchanges.find(message.exchange(), services.definitions().image());
        if (entry == null) {
            throw new BrokerException(
                    Kind.NOT_FOUND, "no exchange '" + message.exchange() + "' in vhost '" + vhost + "'");
        }
        if (isFromOutside && entry.exchange().definition().isInternal()) {
            throw new BrokerException(
                    Kind.ACCESS_REFUSED,
                    "cannot publish to internal exchange "
                            + entry.exchange().definition().name());
        }
        if (hasCopies) {
            return routeCopies(message, entry);
        }
        List<QueueName> queues = entry.known(message.routingKey());
        if (queues == null) {
            Map<String, @Nullable Object> headers =
                    MessageProperties.of(message).headers();
            queues = exchanges.route(
                    entry, message.routingKey(), new Routing.Keys(List.of(message.routingKey()), headers));
        }
        return new Routed(message, handles(queues));
    }

    /** What has become of the queues that a message was routed to. */
    Routed current(Routed earlier) {
        return new Routed(
                earlier.message(),
                handles(earlier.queues().stream().map(QueueHandle::name).toList()),
                earlier.replies());
    }

    /** The default exchange: the routing key is the queue. */
    private Routed toQueue(Message message) {
        QueueHandle handle =
                ShortString.fits(message.routingKey()) ? services.queues().find(name(message.routingKey())) : null;
        return handle == null
                ? new Routed(message, List.of(), replies(List.of(message.routingKey())))
                : new Routed(message, List.of(handle));
    }

    private Routed routeCopies(Message message, ExchangeCache.@Nullable Entry entry) {
        Map<String, @Nullable Object> headers = MessageProperties.of(message).headers();
        CopyHeaders.fault(headers).ifPresent(fault -> {
            throw new BrokerException(Kind.PRECONDITION_FAILED, fault);
        });
        List<String> keys = CopyHeaders.routingKeys(message.routingKey(), headers);
        List<QueueName> queues = entry == null
                ? new LinkedHashSet<>(keys)
                        .stream().filter(ShortString::fits).map(this::name).toList()
                : exchanges.route(entry, message.routingKey(), new Routing.Keys(keys, headers));
        Message shown = CopyHeaders.hasBcc(headers) ? withoutBcc(message) : message;
        return new Routed(shown, handles(queues), entry == null ? replies(keys) : List.of());
    }

    /** Those of the keys that are no queues, but channels that await answers. */
    private static List<ReplyAddress> replies(List<String> keys) {
        List<ReplyAddress> found = List.of();
        for (String key : keys) {
            ReplyAddress address = ReplyAddress.isKept(key) ? ReplyAddress.parse(key) : null;
            if (address != null) {
                found = found.isEmpty() ? new ArrayList<>() : found;
                found.add(address);
            }
        }
        return found;
    }

    private static Message withoutBcc(Message message) {
        byte[] header = MessageProperties.of(message).toBuilder()
                .changeHeaders(Set.of(CopyHeaders.BCC), Map.of())
                .toBytes();
        return new Message(message.exchange(), message.routingKey(), header, message.body(), message.isPersistent());
    }

    private List<QueueHandle> handles(List<QueueName> queues) {
        if (queues.size() == 1) {
            QueueHandle only = services.queues().find(queues.get(0));
            return only == null ? List.of() : List.of(only);
        }
        List<QueueHandle> handles = new ArrayList<>(queues.size());
        for (QueueName queue : queues) {
            QueueHandle handle = services.queues().find(queue);
            if (handle != null) {
                handles.add(handle);
            }
        }
        return handles;
    }

    private QueueName name(String queue) {
        QueueName known = names.get(queue);
        if (known == null) {
            if (names.size() >= NAMES_MAX) {
                names.clear();
            }
            known = new QueueName(vhost, queue);
            names.put(queue, known);
        }
        return known;
    }
}
