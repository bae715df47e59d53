package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * How often somebody tried to log in at a node.
 *
 * @param address absent in rows by protocol
 * @param user absent in rows by protocol
 * @param protocol {@code amqp091} or {@code http}
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LoginAttemptsView(
        @JsonProperty("remote_address") @Nullable String address,
        @JsonProperty("username") @Nullable String user,
        String protocol,
        @JsonProperty("auth_attempts") long attempts,
        @JsonProperty("auth_attempts_failed") long failed,
        @JsonProperty("auth_attempts_succeeded") long succeeded) {}
