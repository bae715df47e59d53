package io.leveret.model.definition;

import io.leveret.model.QueueName;
import java.util.Map;

/**
 * A queue as declared.
 *
 * @param arguments field-table values: String, Boolean, Byte, Short, Integer, Long, Float, Double, BigDecimal, Date,
 *     byte[], List, Map. Immutable
 */
public record QueueDefinition(
        QueueName name, boolean isDurable, boolean isExclusive, boolean isAutoDelete, Map<String, Object> arguments) {}
