package io.leveret.model.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * What became of a publish.
 *
 * @param isRouted it went to one queue at least
 * @param isConfirmed every queue it was routed to has confirmed it; absent when it went to none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PublishAnswer(
        @JsonProperty("routed") boolean isRouted,
        @JsonProperty("confirmed") @Nullable Boolean isConfirmed) {}
