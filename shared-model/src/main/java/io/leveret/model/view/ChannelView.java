package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A channel of a client's connection.
 *
 * @param state {@code starting}, {@code running}, {@code flow} or {@code closing}
 * @param idleSince when it was last used; absent while it is in use
 * @param pendingRaftCommands always 0: there are no quorum queues
 * @param consumerDetails only when one channel is asked for
 * @param publishes what goes to which exchange; only when one channel or exchange is asked for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ChannelView(
        String name,
        int number,
        String node,
        String vhost,
        String user,
        @JsonProperty("user_who_performed_action") String openedBy,
        String state,
        @JsonProperty("confirm") boolean isConfirm,
        @JsonProperty("transactional") boolean isTransactional,
        @JsonProperty("prefetch_count") int prefetch,
        @JsonProperty("global_prefetch_count") int globalPrefetch,
        @JsonProperty("consumer_count") int consumers,
        @JsonProperty("messages_unacknowledged") long unacked,
        @JsonProperty("messages_unconfirmed") long unconfirmed,
        @JsonProperty("messages_uncommitted") long uncommitted,
        @JsonProperty("acks_uncommitted") long acksUncommitted,
        @JsonProperty("connection_details") ConnectionReference connection,
        @JsonProperty("idle_since") @Nullable String idleSince,
        @JsonProperty("pending_raft_commands") int pendingRaftCommands,
        @JsonProperty("message_stats") @Nullable MessageStats messageStats,
        @JsonProperty("consumer_details") @Nullable List<ConsumerView> consumerDetails,
        @Nullable List<Publishing> publishes)
        implements Named {

    /** What the channel publishes to one exchange. */
    public record Publishing(ExchangeReference exchange, MessageStats stats) {}

    /** An exchange, named. */
    public record ExchangeReference(String name, String vhost) {}
}
