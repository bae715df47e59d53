package io.leveret.model.control;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/** The body of {@code PUT /exchanges/…}. */
public record ExchangeDeclaration(
        String type,
        @JsonProperty("durable") boolean isDurable,
        @JsonProperty("auto_delete") boolean isAutoDelete,
        @JsonProperty("internal") boolean isInternal,
        Map<String, Object> arguments) {}
