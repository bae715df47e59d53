package io.leveret.node.broker.vhost;

import io.leveret.model.definition.ExchangeDefinition;
import io.leveret.model.definition.QueueDefinition;
import io.leveret.node.broker.exchange.Exchange;
import java.util.Optional;

/** The rules of exchanges and queues that come from a definitions file: those of a declaration, for the most part. Pure. */
public final class ImportedDefinitions {
    private ImportedDefinitions() {}

    /**
     * What is wrong with a queue, as a sentence; nothing when it can be. Files of other brokers have kinds of queues that there
     * are not here: those are made as ours, with arguments that mean nothing.
     */
    public static Optional<String> fault(QueueDefinition queue) {
        Object type = queue.arguments().get("x-queue-type");
        return "quorum".equals(type) || "stream".equals(type) ? Optional.empty() : QueueArguments.fault(queue);
    }

    /** What is wrong with an exchange, as a sentence; nothing when it can be. */
    public static Optional<String> fault(ExchangeDefinition exchange) {
        return Exchange.isKnownType(exchange.type())
                ? Optional.empty()
                : Optional.of("unknown exchange type '" + exchange.type() + "'");
    }
}
