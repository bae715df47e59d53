package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection. Its figures are absent for a moment after it was opened.
 *
 * @param state {@code starting}, {@code running}, {@code blocking}, {@code blocked}, {@code flow} or {@code closing}
 * @param tlsProtocol such as {@code tlsv1.3}; this and the next three are empty without TLS
 * @param peerSubject of the client's certificate; this and the next two are empty without TLS, null when the client has none
 * @param connectedAt milliseconds since 1970
 * @param timeout the heartbeat that was agreed, in seconds
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ConnectionView(
        String name,
        String node,
        String vhost,
        String user,
        @JsonProperty("user_who_performed_action") String openedBy,
        String state,
        String type,
        String protocol,
        @JsonProperty("auth_mechanism") String authMechanism,
        @JsonProperty("host") String host,
        int port,
        @JsonProperty("peer_host") String peerHost,
        @JsonProperty("peer_port") int peerPort,
        @JsonProperty("ssl") boolean isTls,
        @JsonProperty("ssl_protocol") String tlsProtocol,
        @JsonProperty("ssl_key_exchange") String tlsKeyExchange,
        @JsonProperty("ssl_cipher") String tlsCipher,
        @JsonProperty("ssl_hash") String tlsHash,

        @JsonProperty("peer_cert_subject") @JsonInclude @Nullable
        String peerSubject,

        @JsonProperty("peer_cert_issuer") @JsonInclude @Nullable
        String peerIssuer,

        @JsonProperty("peer_cert_validity") @JsonInclude @Nullable
        String peerValidity,

        int channels,
        @JsonProperty("channel_max") int channelMax,
        @JsonProperty("frame_max") int frameMax,
        int timeout,
        @JsonProperty("connected_at") long connectedAt,
        @JsonProperty("client_properties") Map<String, Object> clientProperties,
        @JsonProperty("user_provided_name") @Nullable String userProvidedName,
        @JsonProperty("recv_oct") @Nullable Long bytesReceived,
        @JsonProperty("recv_oct_details") @Nullable Rate bytesReceivedRate,
        @JsonProperty("recv_cnt") @Nullable Long framesReceived,
        @JsonProperty("send_oct") @Nullable Long bytesSent,
        @JsonProperty("send_oct_details") @Nullable Rate bytesSentRate,
        @JsonProperty("send_cnt") @Nullable Long framesSent,
        @JsonProperty("send_pend") @Nullable Long sendPending)
        implements Named {}
