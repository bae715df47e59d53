package io.leveret.node.broker.vhost;

/** The rules of names that clients choose. */
final class Names {
    private static final String RESERVED_PREFIX = "amq.";

    private Names() {}

    /** Line breaks in a declared name are dropped, as clients of old have come to rely on. */
    static String withoutLineBreaks(String name) {
        return name.indexOf('\n') < 0 && name.indexOf('\r') < 0 ? name : name.replaceAll("[\\r\\n]", "");
    }

    static boolean isReserved(String name) {
        return name.startsWith(RESERVED_PREFIX);
    }
}
