package io.leveret.model.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of {@code PUT /queues/…}. {@code node}, when given, is where the leader shall be. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record QueueDeclaration(
        @JsonProperty("durable") boolean isDurable,
        @JsonProperty("auto_delete") boolean isAutoDelete,
        Map<String, Object> arguments,
        @Nullable String node) {}
