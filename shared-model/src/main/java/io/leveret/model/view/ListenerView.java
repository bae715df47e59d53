package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonProperty;

/** An open port. {@code protocol} is {@code amqp}, {@code amqp/ssl}, {@code clustering} or {@code http}. */
public record ListenerView(
        String node,
        String protocol,
        @JsonProperty("ip_address") String address,
        int port) {}
