package io.leveret.node.broker.vhost;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Where the answers to a client's requests go when it uses direct reply-to: no queue, but a channel of some node. Its
 * {@link #name} is what responders see as reply_to, and publish to through the default exchange. Whoever was not given the name
 * cannot guess it, since the key is random.
 *
 * @param node the number of the node that the requesting client is connected to
 * @param number names the consumer there
 * @param key 22 letters
 */
public record ReplyAddress(int node, long number, String key) {
    /** What a client consumes from, and writes as reply_to, to use direct reply-to. */
    public static final String NAME = "amq.rabbitmq.reply-to";

    static final int KEY_BYTES = 16;
    private static final String PREFIX = NAME + ".";
    private static final int PLACE_BYTES = Integer.BYTES + Long.BYTES;
    private static final int PLACE_LETTERS = 16;
    private static final int KEY_LETTERS = 22;
    private static final int NAME_LETTERS = PREFIX.length() + PLACE_LETTERS + 1 + KEY_LETTERS;

    /** The key of these random bytes. */
    static String key(byte[] random) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /** The routing key of answers. */
    public String name() {
        byte[] place =
                ByteBuffer.allocate(PLACE_BYTES).putInt(node).putLong(number).array();
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(place) + "." + key;
    }

    /** Whether no queue can ever have this name, since it is kept for direct reply-to. */
    public static boolean isKept(String name) {
        return name.startsWith(NAME);
    }

    /** Null for a name that is none of ours. */
    public static @Nullable ReplyAddress parse(String name) {
        if (name.length() != NAME_LETTERS || !name.startsWith(PREFIX)) {
            return null;
        }
        int dot = PREFIX.length() + PLACE_LETTERS;
        if (name.charAt(dot) != '.') {
            return null;
        }
        try {
            ByteBuffer place = ByteBuffer.wrap(Base64.getUrlDecoder().decode(name.substring(PREFIX.length(), dot)));
            return new ReplyAddress(place.getInt(), place.getLong(), name.substring(dot + 1));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Compares in a time that tells nothing about the key. */
    boolean hasKey(String other) {
        return MessageDigest.isEqual(
                key.getBytes(StandardCharsets.ISO_8859_1), other.getBytes(StandardCharsets.ISO_8859_1));
    }
}
