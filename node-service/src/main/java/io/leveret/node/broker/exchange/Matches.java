package io.leveret.node.broker.exchange;

import io.leveret.model.definition.BindingDefinition.Destination;
import io.leveret.model.definition.BindingDefinition.Kind;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/** What one routing has found so far: queues, and exchanges still to be asked, each once however many bindings lead there. */
final class Matches {
    private final Set<String> queues = new LinkedHashSet<>();
    private final ArrayDeque<String> exchanges = new ArrayDeque<>();
    private final Set<String> seen = new HashSet<>();
    private int found;

    void add(Destination destination) {
        found++;
        if (destination.kind() == Kind.QUEUE) {
            queues.add(destination.name());
        } else {
            addExchange(destination.name());
        }
    }

    /** Asks an exchange once: bindings may go round in circles. */
    void addExchange(String name) {
        if (seen.add(name)) {
            exchanges.add(name);
        }
    }

    /** Grows with every match, whether or not it leads anywhere new. */
    int found() {
        return found;
    }

    ArrayDeque<String> exchanges() {
        return exchanges;
    }

    Set<String> queues() {
        return queues;
    }
}
