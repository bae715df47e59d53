package io.leveret.node.broker.message;

import org.jspecify.annotations.Nullable;

/**
 * A message as it came: where it was published, its properties as raw bytes, its body as bytes. Immutable; the arrays are
 * owned by the message and never written. The same object is journalled, replicated and delivered.
 */
public final class Message {
    private final String exchange;
    private final String routingKey;
    private final byte[] header;
    private final byte[] body;
    private final boolean isPersistent;
    private final @Nullable Origin origin;

    /**
     * @param header property flags and property list of the content header, exactly as on the wire (AMQP 0-9-1 §4.2.6.1),
     *     without class, weight and body size
     * @param isPersistent whether the properties say delivery-mode 2; the decoder has just looked
     */
    public Message(String exchange, String routingKey, byte[] header, byte[] body, boolean isPersistent) {
        this(exchange, routingKey, header, body, isPersistent, null);
    }

    private Message(
            String exchange,
            String routingKey,
            byte[] header,
            byte[] body,
            boolean isPersistent,
            @Nullable Origin origin) {
        this.exchange = exchange;
        this.routingKey = routingKey;
        this.header = header;
        this.body = body;
        this.isPersistent = isPersistent;
        this.origin = origin;
    }

    /** The same message, named by its publish: replicas compare what they hold by origin, also when it is on no disk. */
    public Message withOrigin(@Nullable Origin named) {
        return new Message(exchange, routingKey, header, body, isPersistent, named);
    }

    public String exchange() {
        return exchange;
    }

    public String routingKey() {
        return routingKey;
    }

    /** The raw properties; not to be written to. */
    public byte[] header() {
        return header;
    }

    /** The raw body; not to be written to. */
    public byte[] body() {
        return body;
    }

    public boolean isPersistent() {
        return isPersistent;
    }

    /** Who published it; null outside a queue, and when nobody will ask for its duplicate. */
    public @Nullable Origin origin() {
        return origin;
    }

    /** Bytes that the message holds in memory, near enough for limits. */
    public int memoryBytes() {
        return 64 + header.length + body.length + 2 * (exchange.length() + routingKey.length());
    }
}
