package io.leveret.node.broker.message;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a message, read from its raw header when asked for. Immutable but for what it remembers of its own
 * reading; for one thread at a time.
 */
public final class MessageProperties {
    /** No property at all, as on the wire. */
    public static final byte[] NONE = {0, 0};

    private final byte[] raw;
    private final PropertyIndex index = new PropertyIndex();

    @Nullable
    private Map<String, @Nullable Object> headers;

    private MessageProperties(byte[] raw) {
        this.raw = raw;
        index.index(raw);
    }

    /** @throws FieldTableException when the bytes are no properties; those of an accepted message always are */
    public static MessageProperties of(byte[] header) {
        return new MessageProperties(header);
    }

    public static MessageProperties of(Message message) {
        return new MessageProperties(message.header());
    }

    /** The headers; empty when there are none. Unmodifiable. */
    public Map<String, @Nullable Object> headers() {
        Map<String, @Nullable Object> known = headers;
        if (known == null) {
            known = index.has(Property.HEADERS)
                    ? FieldTableCodec.decode(raw, index.headersStart(), index.headersLength())
                    : Map.of();
            headers = known;
        }
        return known;
    }

    /** The elements of a header that is an array, as they came; none when it is something else, or is not there. */
    public List<EncodedValue> headerElements(String name) {
        return index.has(Property.HEADERS)
                ? FieldTableCodec.elements(raw, index.headersStart(), index.headersLength(), name)
                : List.of();
    }

    public boolean has(Property property) {
        return index.has(property);
    }

    /** Any property that is a text, or null when absent. */
    public @Nullable String text(Property property) {
        return index.text(property);
    }

    public @Nullable String expiration() {
        return index.text(Property.EXPIRATION);
    }

    /** 1 transient, 2 persistent; -1 when absent. */
    public int deliveryMode() {
        return index.octet(Property.DELIVERY_MODE);
    }

    /** 0 to 255; -1 when absent. */
    public int priority() {
        return index.octet(Property.PRIORITY);
    }

    /** Seconds since 1970, or null when absent. */
    public @Nullable Long timestamp() {
        return index.timestamp();
    }

    /** As they came: see {@link PropertyIndex#bytes}. */
    byte[] bytes(Property property) {
        return index.bytes(property);
    }

    /** A builder that starts from these; what it does not change it keeps byte by byte. */
    public MessagePropertiesBuilder toBuilder() {
        return new MessagePropertiesBuilder(this);
    }

    public static MessagePropertiesBuilder builder() {
        return new MessagePropertiesBuilder(of(NONE));
    }
}
