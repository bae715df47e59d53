package io.leveret.node.amqp.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The exchange names and routing keys that one connection used lately, found by their bytes, so that publishing makes no
 * garbage for them and equal names are one object. A slot holds one name; a newer one of the same hash takes its place.
 */
final class ShortStrings {
    private static final int SLOTS = 256;

    private final @Nullable Entry[] entries = new Entry[SLOTS];

    /** The text of these ASCII bytes. */
    String ascii(byte[] source, int length, int hash) {
        int slot = (hash ^ (hash >>> 8) ^ (hash >>> 16)) & (SLOTS - 1);
        Entry known = entries[slot];
        if (known != null && Arrays.equals(known.bytes, 0, known.bytes.length, source, 0, length)) {
            return known.text;
        }
        String text = new String(source, 0, length, StandardCharsets.ISO_8859_1);
        entries[slot] = new Entry(Arrays.copyOf(source, length), text);
        return text;
    }

    private record Entry(byte[] bytes, String text) {}
}
