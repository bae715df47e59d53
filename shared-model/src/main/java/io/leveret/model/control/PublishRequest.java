package io.leveret.model.control;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/** The body of {@code POST /exchanges/…/publish}. {@code payloadEncoding} is {@code string} or {@code base64}. */
public record PublishRequest(
        Map<String, Object> properties,
        @JsonProperty("routing_key") String routingKey,
        String payload,
        @JsonProperty("payload_encoding") String payloadEncoding) {}
