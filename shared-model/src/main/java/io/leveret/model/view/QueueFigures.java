package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * How much is in a queue, as its leader counts it. All are left out when there is no leader to ask, or statistics are
 * switched off for the request.
 *
 * @param deadLettering unacknowledged ones that wait for their dead-letter queues; left out when there is none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record QueueFigures(
        @Nullable Long messages,
        @JsonProperty("messages_details") @Nullable Rate messagesRate,
        @JsonProperty("messages_ready") @Nullable Long ready,
        @JsonProperty("messages_ready_details") @Nullable Rate readyRate,
        @JsonProperty("messages_unacknowledged") @Nullable Long unacked,

        @JsonProperty("messages_unacknowledged_details") @Nullable
        Rate unackedRate,

        @JsonProperty("messages_persistent") @Nullable Long persistent,
        @JsonProperty("messages_dead_lettering") @Nullable Long deadLettering,
        @JsonProperty("messages_ram") @Nullable Long inMemory,
        @JsonProperty("messages_ready_ram") @Nullable Long readyInMemory,

        @JsonProperty("messages_unacknowledged_ram") @Nullable
        Long unackedInMemory,

        @JsonProperty("messages_paged_out") @Nullable Long pagedOut,
        @JsonProperty("message_bytes") @Nullable Long bytes,
        @JsonProperty("message_bytes_ready") @Nullable Long bytesReady,

        @JsonProperty("message_bytes_unacknowledged") @Nullable
        Long bytesUnacked,

        @JsonProperty("message_bytes_persistent") @Nullable Long bytesPersistent,
        @JsonProperty("message_bytes_ram") @Nullable Long bytesInMemory,
        @JsonProperty("message_bytes_paged_out") @Nullable Long bytesPagedOut,
        @Nullable Integer consumers,
        @JsonProperty("consumer_utilisation") @Nullable Double consumerUtilisation,
        @JsonProperty("consumer_capacity") @Nullable Double consumerCapacity,
        @Nullable Long memory) {}
