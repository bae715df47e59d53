package io.leveret.model.control;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A name and a password to be checked.
 *
 * @param peerHost the address the user came from: some users may only come from the loopback interface
 */
public record Credentials(
        String username,
        String password,
        @JsonProperty("peer_host") String peerHost) {
    @Override
    public String toString() {
        return "Credentials[" + username + "]";
    }
}
