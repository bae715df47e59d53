package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A vhost. {@code clusterState} says of each node whether it serves the vhost ({@code running}). */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record VhostView(
        String name,
        String description,
        List<String> tags,
        @JsonProperty("default_queue_type") String defaultQueueType,
        Metadata metadata,
        @JsonProperty("tracing") boolean isTracing,
        @JsonProperty("cluster_state") Map<String, String> clusterState,
        @Nullable Long messages,
        @JsonProperty("messages_details") @Nullable Rate messagesRate,
        @JsonProperty("messages_ready") @Nullable Long ready,
        @JsonProperty("messages_ready_details") @Nullable Rate readyRate,
        @JsonProperty("messages_unacknowledged") @Nullable Long unacked,

        @JsonProperty("messages_unacknowledged_details") @Nullable
        Rate unackedRate,

        @JsonProperty("recv_oct") @Nullable Long bytesReceived,
        @JsonProperty("recv_oct_details") @Nullable Rate bytesReceivedRate,
        @JsonProperty("send_oct") @Nullable Long bytesSent,
        @JsonProperty("send_oct_details") @Nullable Rate bytesSentRate,
        @JsonProperty("message_stats") @Nullable MessageStats messageStats)
        implements Named {

    /** Description and tags once more, where some clients look for them. */
    public record Metadata(String description, List<String> tags) {}
}
