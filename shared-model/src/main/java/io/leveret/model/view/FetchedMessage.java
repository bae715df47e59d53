package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A message taken by {@code POST …/get}.
 *
 * @param remaining ready messages left in the queue
 * @param properties an object of the properties that are set; an empty list when none is
 * @param payloadEncoding {@code string} or {@code base64}
 */
public record FetchedMessage(
        @JsonProperty("payload_bytes") long payloadBytes,
        @JsonProperty("redelivered") boolean isRedelivered,
        String exchange,
        @JsonProperty("routing_key") String routingKey,
        @JsonProperty("message_count") long remaining,
        Object properties,
        String payload,
        @JsonProperty("payload_encoding") String payloadEncoding) {}
