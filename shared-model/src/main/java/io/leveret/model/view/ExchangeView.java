package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An exchange. {@code policy} is absent when none matches. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExchangeView(
        String name,
        String vhost,
        String type,
        @JsonProperty("durable") boolean isDurable,
        @JsonProperty("auto_delete") boolean isAutoDelete,
        @JsonProperty("internal") boolean isInternal,
        Map<String, Object> arguments,
        @JsonProperty("user_who_performed_action") @Nullable String declaredBy,
        @Nullable String policy,
        @JsonProperty("message_stats") @Nullable MessageStats messageStats)
        implements Named {}
