package io.leveret.model.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of {@code PUT /vhosts/…}. What is absent stays as it was. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record VhostDeclaration(
        @Nullable String description,
        @Nullable List<String> tags,
        @JsonProperty("tracing") @Nullable Boolean isTracing) {}
