package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/**
 * A consumer.
 *
 * @param activityStatus {@code up}, {@code single_active}, {@code waiting} or {@code suspected_down}
 */
public record ConsumerView(
        @JsonProperty("consumer_tag") String tag,
        QueueReference queue,
        @JsonProperty("channel_details") ChannelReference channel,
        @JsonProperty("ack_required") boolean isAckRequired,
        @JsonProperty("exclusive") boolean isExclusive,
        @JsonProperty("active") boolean isActive,
        @JsonProperty("activity_status") String activityStatus,
        @JsonProperty("prefetch_count") int prefetch,
        Map<String, Object> arguments) {

    /** The queue it takes from. */
    public record QueueReference(String name, String vhost) {}

    /** The channel it lives on. */
    public record ChannelReference(
            String name,
            int number,
            String node,
            String user,
            @JsonProperty("connection_name") String connectionName,
            @JsonProperty("peer_host") String peerHost,
            @JsonProperty("peer_port") int peerPort) {}
}
