package io.leveret.model;

import java.nio.charset.StandardCharsets;

/** AMQP 0-9-1 carries names and routing keys as short strings: at most 255 bytes of UTF-8. */
public final class ShortString {
    public static final int BYTES_MAX = 255;
    private static final int MOST_BYTES_PER_CHAR = 3;

    private ShortString() {}

    /** Whether the text is short enough. Nearly all are so without being encoded. */
    public static boolean fits(String text) {
        return text.length() <= BYTES_MAX / MOST_BYTES_PER_CHAR
                || (text.length() <= BYTES_MAX && text.getBytes(StandardCharsets.UTF_8).length <= BYTES_MAX);
    }
}
