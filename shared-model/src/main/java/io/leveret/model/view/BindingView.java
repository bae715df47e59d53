package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * A binding. {@code source} is empty for the default exchange.
 *
 * @param destinationType {@code queue} or {@code exchange}
 * @param propertiesKey names the binding among those of its source and destination: the routing key, form-encoded,
 *     followed by {@code ~} and a hash of the arguments when it has any; {@code ~} alone when it has neither
 */
public record BindingView(
        String source,
        String vhost,
        String destination,
        @JsonProperty("destination_type") String destinationType,
        @JsonProperty("routing_key") String routingKey,
        Map<String, Object> arguments,
        @JsonProperty("properties_key") String propertiesKey) {

    public static final String TO_QUEUE = "queue";
    public static final String TO_EXCHANGE = "exchange";

    private static final String MARK = "~";

    /** The key of a binding with these properties. */
    public static String propertiesKey(String routingKey, Map<String, Object> arguments) {
        if (arguments.isEmpty()) {
            return routingKey.isEmpty() ? MARK : quoted(routingKey);
        }
        return quoted(routingKey) + MARK + hash(arguments);
    }

    /**
     * Whether a path segment, decoded once, names this binding. Clients send the key as it stands in JSON or with the
     * routing key in plain letters: both mean the same binding.
     */
    public boolean isNamedBy(String segment) {
        if (segment.equals(propertiesKey) || (arguments.isEmpty() && segment.equals(routingKey))) {
            return true;
        }
        int mark = segment.lastIndexOf(MARK);
        String key = mark < 0 ? segment : segment.substring(0, mark);
        String hash = mark < 0 ? "" : segment.substring(mark + 1);
        boolean isHashEqual = hash.equals(arguments.isEmpty() ? "" : hash(arguments));
        return isHashEqual && (key.equals(routingKey) || unquoted(key).equals(routingKey));
    }

    private static String quoted(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace(MARK, "%7E");
    }

    private static String unquoted(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException badEscape) {
            return text;
        }
    }

    private static String hash(Map<String, Object> arguments) {
        CRC32C crc = new CRC32C();
        crc.update(new TreeMap<>(arguments).toString().getBytes(StandardCharsets.UTF_8));
        int value = (int) crc.getValue();
        byte[] bytes = {(byte) (value >>> 24), (byte) (value >>> 16), (byte) (value >>> 8), (byte) value};
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
