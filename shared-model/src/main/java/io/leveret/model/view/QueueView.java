package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A queue.
 *
 * @param type always {@code classic}
 * @param leader the node that leads it, or led it last when none does
 * @param state {@code running}, {@code idle}, {@code flow}, {@code syncing}, {@code down} (no leader) or {@code stopped}
 * @param mirrors live mirrors from the oldest; absent when no policy mirrors the queue
 * @param syncedMirrors those of {@code mirrors} in the in-sync set; absent with them
 * @param recoverableMirrors mirrors, up or not, that could lead it; null when not mirrored
 * @param exclusiveOwner the connection that owns an exclusive queue
 * @param syncMessages messages copied so far by the synchronisation under way; absent when there is none
 * @param storage {@code mode} (default or lazy), {@code len} (ready messages) and averages of what comes and goes per second
 * @param consumerDetails only when one queue is asked for
 * @param replication Leveret's addition
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record QueueView(
        String name,
        String vhost,
        String type,
        @JsonProperty("durable") boolean isDurable,
        @JsonProperty("exclusive") boolean isExclusive,
        @JsonProperty("auto_delete") boolean isAutoDelete,
        Map<String, Object> arguments,
        @JsonProperty("node") @Nullable String leader,
        @Nullable String state,
        @JsonProperty("slave_nodes") @Nullable List<String> mirrors,
        @JsonProperty("synchronised_slave_nodes") @Nullable List<String> syncedMirrors,

        @JsonProperty("recoverable_slaves") @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
        List<String> recoverableMirrors,

        @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable String policy,

        @JsonProperty("operator_policy") @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
        String operatorPolicy,

        @JsonProperty("effective_policy_definition") @Nullable
        Map<String, Object> effectivePolicy,

        @JsonProperty("exclusive_consumer_tag") @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
        String exclusiveConsumerTag,

        @JsonProperty("single_active_consumer_tag") @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
        String singleActiveConsumerTag,

        @JsonProperty("head_message_timestamp") @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
        Long headMessageTimestamp,

        @JsonProperty("idle_since") @Nullable String idleSince,
        @JsonProperty("owner_pid_details") @Nullable ConnectionReference exclusiveOwner,
        @JsonProperty("sync_messages") @Nullable Long syncMessages,
        @JsonProperty("backing_queue_status") @Nullable Map<String, Object> storage,
        @JsonUnwrapped @Nullable QueueFigures figures,
        @JsonProperty("message_stats") @Nullable MessageStats messageStats,
        @JsonProperty("consumer_details") @Nullable List<ConsumerView> consumerDetails,
        @Nullable ReplicationView replication)
        implements Named {}
