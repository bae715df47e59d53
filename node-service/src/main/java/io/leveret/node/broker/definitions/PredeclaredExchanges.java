package io.leveret.node.broker.definitions;

import io.leveret.model.ExchangeName;
import io.leveret.model.VhostName;
import io.leveret.model.definition.ExchangeDefinition;
import java.util.List;
import java.util.Map;

/** The exchanges that every vhost has from its creation to its end. */
final class PredeclaredExchanges {
    private static final String RESERVED_PREFIX = "amq.";

    private PredeclaredExchanges() {}

    static List<ExchangeDefinition> of(VhostName vhost) {
        return List.of(
                exchange(vhost, "", "direct", false),
                exchange(vhost, "amq.direct", "direct", false),
                exchange(vhost, "amq.fanout", "fanout", false),
                exchange(vhost, "amq.headers", "headers", false),
                exchange(vhost, "amq.match", "headers", false),
                exchange(vhost, "amq.rabbitmq.trace", "topic", true),
                exchange(vhost, "amq.topic", "topic", false));
    }

    static boolean isReserved(ExchangeName name) {
        return name.value().startsWith(RESERVED_PREFIX);
    }

    private static ExchangeDefinition exchange(VhostName vhost, String name, String type, boolean isInternal) {
        return new ExchangeDefinition(new ExchangeName(vhost, name), type, true, false, isInternal, Map.of());
    }
}
