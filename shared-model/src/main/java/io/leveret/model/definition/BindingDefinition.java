package io.leveret.model.definition;

import io.leveret.model.ExchangeName;
import io.leveret.model.VhostName;
import java.util.Map;

/** A binding from an exchange to a queue or to another exchange of the same vhost. */
public record BindingDefinition(
        ExchangeName source, Destination destination, String bindingKey, Map<String, Object> arguments) {

    /** What a binding leads to. */
    public enum Kind {
        QUEUE,
        EXCHANGE
    }

    /** The far end of a binding. */
    public record Destination(Kind kind, String name) {}

    public VhostName vhost() {
        return source.vhost();
    }
}
