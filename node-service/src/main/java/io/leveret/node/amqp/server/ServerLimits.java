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

    /** Several times as it comes, is written, kept and delivered; and a queue's leader may be given one by each other node. */
    private static final int BODIES_IN_HEAP = 16;

    /**
     * RabbitMQ's defaults, with a smaller largest body where the heap could not bear such a one.
     *
     * @param heapBytes what the heap may grow to
     */
    public static ServerLimits usual(long heapBytes) {
        return new ServerLimits(-1, -1, (int) Math.max(1, Math.min(MESSAGE_BYTES_MOST, heapBytes / BODIES_IN_HEAP)));
    }

    public ServerLimits {
        if (messageBytesMax < 1 || messageBytesMax > MESSAGE_BYTES_MOST) {
            throw new IllegalArgumentException("a body of " + messageBytesMax + " bytes at most");
        }
    }
}
