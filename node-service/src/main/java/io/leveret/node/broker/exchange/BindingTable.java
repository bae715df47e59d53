package io.leveret.node.broker.exchange;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bindings of one exchange, arranged for its type. Immutable once it is built. */
interface BindingTable {
    /** Adds the destinations that a message with this key and these headers goes to. */
    void match(String routingKey, Map<String, ? extends @Nullable Object> headers, Matches matches);
}
