package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An exchange. {@code policy} is absent when none matches.
 *
 * @param incoming which channels publish to it; only when one exchange is asked for
 */
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
        @JsonProperty("message_stats") @Nullable MessageStats messageStats,
        @Nullable List<Incoming> incoming)
        implements Named {

    /** What one channel publishes to the exchange. */
    public record Incoming(
            @JsonProperty("channel_details") ConsumerView.ChannelReference channel, MessageStats stats) {}

    /** Which queues it feeds: none, since they are not counted one by one; only when one exchange is asked for. */
    @JsonProperty(access = JsonProperty.Access.READ_ONLY)
    public @Nullable List<Object> outgoing() {
        return incoming == null ? null : List.of();
    }
}
