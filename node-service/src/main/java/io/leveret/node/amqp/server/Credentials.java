package io.leveret.node.amqp.server;

import io.leveret.node.broker.message.FieldTableCodec;
import io.leveret.node.broker.message.FieldTableException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A name and a password, as the mechanisms PLAIN and AMQPLAIN carry them. Never printed. */
record Credentials(String user, byte[] password) {
    /** Null when the mechanism is unknown or the response is not of its form. */
    static @Nullable Credentials read(String mechanism, byte[] response) {
        return switch (mechanism) {
            case "PLAIN" -> readPlain(response);
            case "AMQPLAIN" -> readAmqPlain(response);
            default -> null;
        };
    }

    /** {@code NUL user NUL password}. */
    private static @Nullable Credentials readPlain(byte[] response) {
        if (response.length == 0 || response[0] != 0) {
            return null;
        }
        int second = 1;
        while (second < response.length && response[second] != 0) {
            second++;
        }
        if (second == response.length) {
            return null;
        }
        String user = new String(response, 1, second - 1, StandardCharsets.UTF_8);
        return new Credentials(user, Arrays.copyOfRange(response, second + 1, response.length));
    }

    /** A field table with LOGIN and PASSWORD, without its length. */
    private static @Nullable Credentials readAmqPlain(byte[] response) {
        Map<String, @Nullable Object> table;
        try {
            table = FieldTableCodec.decode(response);
        } catch (FieldTableException e) {
            return null;
        }
        Object user = table.get("LOGIN");
        Object password = table.get("PASSWORD");
        if (user instanceof String name && password instanceof String text) {
            return new Credentials(name, text.getBytes(StandardCharsets.UTF_8));
        }
        return user instanceof String name && password instanceof byte[] bytes ? new Credentials(name, bytes) : null;
    }

    @Override
    public String toString() {
        return "Credentials[" + user + "]";
    }
}
