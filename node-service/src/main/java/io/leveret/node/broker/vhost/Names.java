package io.leveret.node.broker.vhost;

import java.nio.charset.StandardCharsets;

/** The rules of names that clients choose. */
final class Names {
    static final int BYTES_MAX = 255;
    private static final int MOST_BYTES_PER_CHAR = 3;
    private static final String RESERVED_PREFIX = "amq.";

    private Names() {}

    /** Line breaks in a declared name are dropped, as clients of old have come to rely on. */
    static String withoutLineBreaks(String name) {
        return name.indexOf('\n') < 0 && name.indexOf('\r') < 0 ? name : name.replaceAll("[\\r\\n]", "");
    }

    /** Whether anything can have this name: it must fit into a short string. */
    static boolean isPossible(String name) {
        return name.length() <= BYTES_MAX / MOST_BYTES_PER_CHAR
                || (name.length() <= BYTES_MAX && name.getBytes(StandardCharsets.UTF_8).length <= BYTES_MAX);
    }

    static boolean isReserved(String name) {
        return name.startsWith(RESERVED_PREFIX);
    }
}
