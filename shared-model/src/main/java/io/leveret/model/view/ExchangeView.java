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
 * @param outgoing which queues it feeds; only when one exchange is asked for. Leveret does not count them one by one: empty
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
        @Nullable List<Incoming> incoming,
        @Nullable List<Outgoing> outgoing)
        implements Named {

    /** What one channel publishes to the exchange. */
    public record Incoming(
            @JsonProperty("channel_details") ConsumerView.ChannelReference channel, MessageStats stats) {}

    /** What one queue takes of it. */
    public record Outgoing(ConsumerView.QueueReference queue, MessageStats stats) {}
}
