package io.leveret.node.amqp.server;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the AMQP listeners.
 *
 * @param address where to listen; port 0 takes a free one
 * @param clusterName shown in the server properties
 * @param version of the product
 * @param ownerPrefix begins the ids of this boot's connections, so that no two connections of the cluster ever share one
 * @param channelMax channels per connection, offered to clients
 * @param frameBytesMax offered to clients
 * @param heartbeatSeconds offered to clients; 0: none
 * @param settleTimeoutMillis a channel that leaves a delivery unsettled for longer is closed; 0: never
 * @param limits of the whole node
 * @param tls the listener with TLS; null: none
 */
public record AmqpServerConfig(
        InetSocketAddress address,
        String clusterName,
        String version,
        String ownerPrefix,
        int channelMax,
        int frameBytesMax,
        int heartbeatSeconds,
        long settleTimeoutMillis,
        ServerLimits limits,
        @Nullable TlsConfig tls) {
    private static final long HALF_AN_HOUR = 1_800_000;

    /** RabbitMQ's defaults. */
    public static AmqpServerConfig of(
            InetSocketAddress address, String clusterName, String version, String ownerPrefix) {
        return new AmqpServerConfig(
                address,
                clusterName,
                version,
                ownerPrefix,
                2047,
                131_072,
                60,
                HALF_AN_HOUR,
                ServerLimits.usual(Long.MAX_VALUE),
                null);
    }

    /** The same with another timeout for settling. */
    public AmqpServerConfig withSettleTimeout(long millis) {
        return new AmqpServerConfig(
                address,
                clusterName,
                version,
                ownerPrefix,
                channelMax,
                frameBytesMax,
                heartbeatSeconds,
                millis,
                limits,
                tls);
    }

    /** The same with other limits. @param channels per connection */
    public AmqpServerConfig withLimits(int channels, ServerLimits others) {
        return new AmqpServerConfig(
                address,
                clusterName,
                version,
                ownerPrefix,
                channels,
                frameBytesMax,
                heartbeatSeconds,
                settleTimeoutMillis,
                others,
                tls);
    }

    /** The same, with TLS if it is not null. */
    public AmqpServerConfig withTls(@Nullable TlsConfig newTls) {
        return new AmqpServerConfig(
                address,
                clusterName,
                version,
                ownerPrefix,
                channelMax,
                frameBytesMax,
                heartbeatSeconds,
                settleTimeoutMillis,
                limits,
                newTls);
    }
}
