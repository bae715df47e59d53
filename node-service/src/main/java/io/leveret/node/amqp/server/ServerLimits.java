package io.leveret.node.amqp.server;

/**
 * What one node takes.
 *
 * @param connectionsMax connections; negative: any number
 * @param channelsMax channels over all connections; negative: any number
 * @param messageBytesMax the largest body
 */
public record ServerLimits(long connectionsMax, long channelsMax, int messageBytesMax) {
    /** The largest body that can be allowed: a larger one fits into no frame between nodes. */
    public static final int MESSAGE_BYTES_MOST = 128 << 20;

    /** RabbitMQ's defaults. */
    public static ServerLimits usual() {
        return new ServerLimits(-1, -1, MESSAGE_BYTES_MOST);
    }

    public ServerLimits {
        if (messageBytesMax < 1 || messageBytesMax > MESSAGE_BYTES_MOST) {
            throw new IllegalArgumentException("a body of " + messageBytesMax + " bytes at most");
        }
    }
}
