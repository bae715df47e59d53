package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonProperty;

/** An exchange type or an authentication mechanism, and whether it can be used. */
public record NamedFeature(
        String name,
        String description,
        @JsonProperty("enabled") boolean isEnabled) {}
