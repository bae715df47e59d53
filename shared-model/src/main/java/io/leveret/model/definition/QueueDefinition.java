package io.leveret.model.definition;

import io.leveret.model.QueueName;
import java.util.Map;

/**
 * A queue as declared.
 *
 * @param arguments field-table values: String, Boolean, Byte, Short, Integer, Long, Float, Double, BigDecimal, Date,
 *     byte[], List, Map. Immutable
 * @param owner of an exclusive queue: the id of the connection that declared it, {@code <node name>/<anything>}; empty for
 *     every other queue. The queue goes when its owner goes
 */
public record QueueDefinition(
        QueueName name,
        boolean isDurable,
        boolean isExclusive,
        boolean isAutoDelete,
        Map<String, Object> arguments,
        String owner) {

    /** A queue without an owner. */
    public QueueDefinition(
            QueueName name,
            boolean isDurable,
            boolean isExclusive,
            boolean isAutoDelete,
            Map<String, Object> arguments) {
        this(name, isDurable, isExclusive, isAutoDelete, arguments, "");
    }
}
