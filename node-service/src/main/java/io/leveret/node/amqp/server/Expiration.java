package io.leveret.node.amqp.server;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The rules of the expiration property: a whole number of milliseconds, ten years at most. */
final class Expiration {
    private static final BigInteger MAX = BigInteger.valueOf(315_360_000_000L);

    private Expiration() {}

    /** What is wrong with it, in the words that clients know; null when nothing is. */
    static @Nullable String faultOf(String text) {
        boolean isSigned = !text.isEmpty() && (text.charAt(0) == '-' || text.charAt(0) == '+');
        int start = isSigned ? 1 : 0;
        int end = start;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        if (end == start) {
            return "no_integer";
        } else if (end < text.length()) {
            return "{leftover_string,\"" + text.substring(end) + "\"}";
        }
        BigInteger value = new BigInteger(text.charAt(0) == '+' ? text.substring(1) : text);
        if (value.signum() < 0) {
            return "{value_negative," + value + "}";
        }
        return value.compareTo(MAX) > 0 ? "{value_too_large," + value + "}" : null;
    }
}
