package io.leveret.node.broker.exchange;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a message goes, through however many exchanges. Pure. The default exchange is not an {@link Exchange}: every routing
 * key is the name of a queue there, whether or not there is such a queue.
 */
public final class Routing {
    private Routing() {}

    /** What a message offers to be routed by: its routing key, those of CC and BCC, and its headers. */
    public record Keys(List<String> routingKeys, Map<String, ? extends @Nullable Object> headers) {}

    /**
     * The result of one routing.
     *
     * @param queues names, each once, in the order in which they were found
     * @param isByKeys false when some exchange on the way looked at headers
     */
    public record Result(Set<String> queues, boolean isByKeys) {}

    /**
     * @param start the exchange that was published to
     * @param exchanges finds the others by name; null for one that is not there, whose messages go nowhere
     */
    public static Result route(Exchange start, Keys keys, Function<String, @Nullable Exchange> exchanges) {
        Matches matches = new Matches();
        matches.addExchange(start.definition().name().value());
        boolean isByKeys = true;
        for (String name = matches.exchanges().poll();
                name != null;
                name = matches.exchanges().poll()) {
            if (name.isEmpty()) {
                toDefault(keys.routingKeys(), matches);
                continue;
            }
            Exchange exchange = name.equals(start.definition().name().value()) ? start : exchanges.apply(name);
            if (exchange != null) {
                isByKeys &= !exchange.isByHeaders();
                exchange.match(keys.routingKeys(), keys.headers(), matches);
            }
        }
        return new Result(matches.queues(), isByKeys);
    }

    private static void toDefault(Collection<String> routingKeys, Matches matches) {
        matches.queues().addAll(routingKeys);
    }
}
