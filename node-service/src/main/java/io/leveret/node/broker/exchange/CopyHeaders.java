package io.leveret.node.broker.exchange;

import io.leveret.node.broker.message.FieldTableCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The headers CC and BCC: further routing keys of a message. Those of BCC are not shown to consumers. */
public final class CopyHeaders {
    public static final String CC = "CC";
    /** The one that consumers may not see. */
    public static final String BCC = "BCC";

    /** The bit of property "headers" in the first byte of the flags. */
    private static final int HEADERS_FLAG = 0x20;
    /** No such name can end before this byte: flags, length of the table, length of the name come first. */
    private static final int MINIMUM = 4;

    private CopyHeaders() {}

    /**
     * Whether the raw properties may hold one of these headers: false for sure, true perhaps. It spares most messages the
     * decoding of their headers.
     */
    public static boolean mayBeIn(byte[] header) {
        if (header.length < 2 || (header[0] & HEADERS_FLAG) == 0) {
            return false;
        }
        // A name in a table is its length and its letters: 2 CC, 3 BCC.
        for (int i = header.length - 1; i >= MINIMUM; i--) {
            if (header[i] == 'C' && header[i - 1] == 'C' && (header[i - 2] == 2 || header[i - 2] == 'B')) {
                return true;
            }
        }
        return false;
    }

    /** What is wrong with these headers, as a sentence; nothing for most messages. */
    public static Optional<String> fault(Map<String, ? extends @Nullable Object> headers) {
        return fault(headers, CC).or(() -> fault(headers, BCC));
    }

    private static Optional<String> fault(Map<String, ? extends @Nullable Object> headers, String name) {
        Object value = headers.get(name);
        return !headers.containsKey(name) || value instanceof List
                ? Optional.empty()
                : Optional.of("invalid message: {unacceptable_type_in_header,\"" + name + "\","
                        + FieldTableCodec.typeName(value) + "}");
    }

    /** The routing key, then those of CC and BCC; entries that are no texts do not count. */
    public static List<String> routingKeys(String routingKey, Map<String, ? extends @Nullable Object> headers) {
        if (!headers.containsKey(CC) && !headers.containsKey(BCC)) {
            return List.of(routingKey);
        }
        List<String> keys = new ArrayList<>();
        keys.add(routingKey);
        addTexts(headers.get(CC), keys);
        addTexts(headers.get(BCC), keys);
        return keys;
    }

    private static void addTexts(@Nullable Object value, List<String> into) {
        if (value instanceof List<?> list) {
            list.stream()
                    .filter(String.class::isInstance)
                    .map(String.class::cast)
                    .forEach(into::add);
        }
    }

    public static boolean hasBcc(Map<String, ? extends @Nullable Object> headers) {
        return headers.containsKey(BCC);
    }
}
