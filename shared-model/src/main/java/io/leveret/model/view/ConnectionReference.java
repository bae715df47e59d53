package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The connection that something belongs to. */
public record ConnectionReference(
        String name,
        @JsonProperty("peer_host") String peerHost,
        @JsonProperty("peer_port") int peerPort) {}
