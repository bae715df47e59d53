package io.leveret.node.amqp.server;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client connection at one moment.
 *
 * @param name {@code host:port -> host:port}, the client first
 * @param userProvidedName what the client calls itself (client property {@code connection_name})
 * @param tls null without TLS
 * @param heartbeatSeconds 0: none
 * @param state running, blocked (an alarm stops it), flow (it publishes faster than its queues take) or closing
 * @param sendPendingBytes waiting for the socket to take them
 */
public record ConnectionStatistics(
        String name,
        String vhost,
        String user,
        String peerHost,
        int peerPort,
        String host,
        int port,
        @Nullable TlsSession tls,
        String authMechanism,
        Map<String, @Nullable Object> clientProperties,
        @Nullable String userProvidedName,
        int channelMax,
        int frameMax,
        int heartbeatSeconds,
        long connectedAtMillis,
        String state,
        int channels,
        long receivedBytes,
        long receivedFrames,
        long sentBytes,
        long sentFrames,
        long sendPendingBytes) {
    /** What a connection counts of itself. */
    record Figures(long connectedAtMillis, String state, int channels, long receivedBytes, long receivedFrames) {}

    static ConnectionStatistics of(
            ConnectionRegistry.Peers peers,
            @Nullable ConnectionContext context,
            Handshake handshake,
            Figures figures,
            Outbound out) {
        Map<String, @Nullable Object> client = handshake.clientProperties();
        return new ConnectionStatistics(
                peers.name(),
                context == null ? "" : context.vhost().name().value(),
                context == null ? "" : context.login().user().value(),
                peers.remote().getAddress().getHostAddress(),
                peers.remote().getPort(),
                peers.local().getAddress().getHostAddress(),
                peers.local().getPort(),
                peers.tls(),
                handshake.mechanism(),
                client,
                client.get("connection_name") instanceof String text ? text : null,
                handshake.channelMax(),
                handshake.frameBytesMax(),
                handshake.heartbeatSeconds(),
                figures.connectedAtMillis,
                figures.state,
                figures.channels,
                figures.receivedBytes,
                figures.receivedFrames,
                out.sentBytes(),
                out.sentFrames(),
                out.pendingBytes());
    }
}
