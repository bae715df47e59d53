package io.leveret.node.broker.vhost;

import io.leveret.model.ExchangeName;
import io.leveret.model.QueueName;
import io.leveret.model.ShortString;
import io.leveret.model.VhostName;
import io.leveret.model.definition.BindingDefinition;
import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.PolicyDefinition;
import io.leveret.model.definition.PolicyKeys;
import io.leveret.node.broker.definitions.DefinitionsImage;
import io.leveret.node.broker.definitions.PolicyMatcher;
import io.leveret.node.broker.exchange.Exchange;
import io.leveret.node.broker.exchange.Routing;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of one vhost, ready to route, and what they answered. Any thread. An exchange is built again only when it, its
 * bindings or the vhost's policies changed, which is seen by comparing the image's objects: images share what did not change.
 * Routes are remembered per exchange and routing key. Those of an exchange that works alone stay as long as it does, others as
 * long as the image.
 */
final class ExchangeCache {
    /** Routing keys remembered per exchange; beyond it they are worked out anew. */
    private static final int ROUTES_MAX = 10_000;

    private final VhostName vhost;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private volatile @Nullable Policies policies;

    ExchangeCache(VhostName vhost) {
        this.vhost = vhost;
    }

    /** The exchange as the image has it, or null. */
    @Nullable
    Entry find(String name, DefinitionsImage image) {
        Entry known = entries.get(name);
        if (known != null && known.image == image) {
            return known;
        }
        if (!ShortString.fits(name)) {
            return null; // an alternate or dead-letter exchange may be called anything
        }
        ExchangeName full = new ExchangeName(vhost, name);
        ExchangeDefinition definition = image.exchange(full);
        if (definition == null) {
            entries.remove(name);
            return null;
        }
        Set<BindingDefinition> bindings = image.bindingsFrom(full);
        Policies now = policies(image);
        Entry fresh;
        if (known != null && known.isStillRight(definition, bindings, now)) {
            Map<String, List<QueueName>> routes =
                    known.exchange.isSelfContained() ? known.routes : new ConcurrentHashMap<>();
            fresh = new Entry(image, now, bindings, known.exchange, routes);
        } else {
            Exchange exchange = new Exchange(definition, alternate(definition, now), bindings);
            fresh = new Entry(image, now, bindings, exchange, new ConcurrentHashMap<>());
        }
        entries.put(name, fresh);
        return fresh;
    }

    /** The queues for a message that offers one routing key and, perhaps, headers that count. */
    List<QueueName> route(Entry entry, String routingKey, Routing.Keys keys) {
        Routing.Result result = Routing.route(entry.exchange, keys, name -> {
            Entry other = find(name, entry.image);
            return other == null ? null : other.exchange;
        });
        List<QueueName> queues = result.queues().stream()
                .filter(ShortString::fits)
                .map(name -> new QueueName(vhost, name))
                .toList();
        if (result.isByKeys() && keys.routingKeys().size() == 1) {
            if (entry.routes.size() >= ROUTES_MAX) {
                entry.routes.clear();
            }
            entry.routes.put(routingKey, queues);
        }
        return queues;
    }

    private static @Nullable String alternate(ExchangeDefinition definition, Policies policies) {
        if (definition.arguments().get(PolicyKeys.ALTERNATE_EXCHANGE) instanceof String argument) {
            return argument;
        }
        return policies.matcher.forExchange(definition.name().value()).text(PolicyKeys.ALTERNATE_EXCHANGE);
    }

    private Policies policies(DefinitionsImage image) {
        Map<String, PolicyDefinition> user = image.policies(vhost);
        Map<String, PolicyDefinition> operator = image.operatorPolicies(vhost);
        Policies known = policies;
        if (known != null && isSame(known.user, user) && isSame(known.operator, operator)) {
            return known;
        }
        Policies fresh = new Policies(user, operator, new PolicyMatcher(user.values(), operator.values()));
        policies = fresh;
        return fresh;
    }

    @SuppressWarnings("ReferenceEquality") // images share what did not change; equal contents are not worth the walk
    private static boolean isSame(Map<?, ?> a, Map<?, ?> b) {
        return a == b || (a.isEmpty() && b.isEmpty());
    }

    /** The policies that exchanges were built under. */
    private record Policies(
            Map<String, PolicyDefinition> user, Map<String, PolicyDefinition> operator, PolicyMatcher matcher) {}

    /** An exchange, what it was built from, and its answers so far. */
    static final class Entry {
        private final DefinitionsImage image;
        private final Policies policies;
        private final Set<BindingDefinition> bindings;
        private final Exchange exchange;
        private final Map<String, List<QueueName>> routes;

        private Entry(
                DefinitionsImage image,
                Policies policies,
                Set<BindingDefinition> bindings,
                Exchange exchange,
                Map<String, List<QueueName>> routes) {
            this.image = image;
            this.policies = policies;
            this.bindings = bindings;
            this.exchange = exchange;
            this.routes = routes;
        }

        Exchange exchange() {
            return exchange;
        }

        /** What an earlier message with this key alone was answered, or null. */
        @Nullable
        List<QueueName> known(String routingKey) {
            return routes.get(routingKey);
        }

        @SuppressWarnings("ReferenceEquality") // as in isSame
        private boolean isStillRight(ExchangeDefinition definition, Set<BindingDefinition> now, Policies under) {
            return Objects.equals(exchange.definition(), definition)
                    && (bindings == now || (bindings.isEmpty() && now.isEmpty()))
                    && policies == under;
        }
    }
}
