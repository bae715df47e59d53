package io.leveret.model.control;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/** The body of {@code POST /bindings/…}. */
public record BindingDeclaration(
        @JsonProperty("routing_key") String routingKey, Map<String, Object> arguments) {}
