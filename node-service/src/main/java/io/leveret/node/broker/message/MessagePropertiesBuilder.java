package io.leveret.node.broker.message;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the raw properties of a message, from scratch or as a change of given ones. Those are kept as their bytes: ids of
 * messages need not be UTF-8.
 */
public final class MessagePropertiesBuilder {
    private final Map<Property, Object> values = new EnumMap<>(Property.class);

    MessagePropertiesBuilder(MessageProperties from) {
        for (Property property : Property.values()) {
            if (!from.has(property)) {
                continue;
            }
            switch (property) {
                case DELIVERY_MODE -> deliveryMode(from.deliveryMode());
                case PRIORITY -> priority(from.priority());
                case TIMESTAMP -> timestamp(from.timestamp());
                default -> set(property, from.bytes(property));
            }
        }
    }

    /** Null takes the headers away; an empty table is kept as an empty table. */
    public MessagePropertiesBuilder headers(@Nullable Map<String, ?> headers) {
        return set(Property.HEADERS, headers);
    }

    /**
     * Takes some headers out and puts others in, which replace those of their names. All others keep their bytes, as clients
     * may ask of what type a number or a text was.
     *
     * @throws FieldTableException when the headers there are cannot be read, or one to put in is of no type that a table can
     *     hold
     */
    public MessagePropertiesBuilder changeHeaders(Set<String> without, Map<String, ?> with) {
        byte[] known = encodedHeaders();
        if (known.length == 0 && with.isEmpty()) {
            return this;
        }
        return set(Property.HEADERS, FieldTableCodec.splice(known, 0, known.length, without, with));
    }

    /** The content of their table; empty when there are none. */
    private byte[] encodedHeaders() {
        Object headers = values.get(Property.HEADERS);
        if (headers instanceof byte[] bytes) {
            return bytes;
        }
        return headers instanceof Map<?, ?> table ? encode(table) : new byte[0];
    }

    @SuppressWarnings("unchecked") // only headers(Map<String, ?>) puts a map among the values
    private static byte[] encode(Map<?, ?> headers) {
        return FieldTableCodec.encode((Map<String, ?>) headers);
    }

    /** -1 takes it away. */
    public MessagePropertiesBuilder deliveryMode(int mode) {
        return set(Property.DELIVERY_MODE, mode < 0 ? null : mode);
    }

    /** -1 takes it away. */
    public MessagePropertiesBuilder priority(int priority) {
        return set(Property.PRIORITY, priority < 0 ? null : priority);
    }

    /** Seconds since 1970; null takes it away. */
    public MessagePropertiesBuilder timestamp(@Nullable Long seconds) {
        return set(Property.TIMESTAMP, seconds);
    }

    /** Sets one of the properties that are texts; null takes it away. */
    public MessagePropertiesBuilder text(Property property, @Nullable String text) {
        switch (property) {
            case HEADERS, DELIVERY_MODE, PRIORITY, TIMESTAMP ->
                throw new IllegalArgumentException(property + " is not a text");
            default -> set(property, text);
        }
        return this;
    }

    public MessagePropertiesBuilder expiration(@Nullable String milliseconds) {
        return set(Property.EXPIRATION, milliseconds);
    }

    /**
     * The bytes for {@link Message#header}.
     *
     * @throws FieldTableException when a text is longer than 255 bytes, or a header is of no type that a table can hold
     */
    public byte[] toBytes() {
        ByteSink sink = new ByteSink();
        int flags = 0;
        for (Property property : values.keySet()) {
            flags |= 0x8000 >> property.ordinal();
        }
        sink.writeShort(flags);
        for (Map.Entry<Property, Object> entry : values.entrySet()) {
            Object value = entry.getValue();
            if (value instanceof byte[] bytes) {
                if (entry.getKey() == Property.HEADERS) {
                    sink.writeLongString(bytes);
                } else {
                    sink.writeByte(bytes.length);
                    sink.writeBytes(bytes);
                }
            } else if (value instanceof Map<?, ?> table) {
                sink.writeLongString(encode(table));
            } else if (value instanceof Integer octet) {
                sink.writeByte(octet);
            } else if (value instanceof Long seconds) {
                sink.writeLong(seconds);
            } else {
                sink.writeShortString((String) value);
            }
        }
        return sink.toBytes();
    }

    private MessagePropertiesBuilder set(Property property, @Nullable Object value) {
        if (value == null) {
            values.remove(property);
        } else {
            values.put(property, value);
        }
        return this;
    }
}
