package io.leveret.model.definition;

import io.leveret.model.ExchangeName;
import java.util.Map;

/** An exchange as declared. {@code type} is one of direct, fanout, topic, headers. */
public record ExchangeDefinition(
        ExchangeName name,
        String type,
        boolean isDurable,
        boolean isAutoDelete,
        boolean isInternal,
        Map<String, Object> arguments) {}
