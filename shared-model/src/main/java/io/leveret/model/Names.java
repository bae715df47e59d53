package io.leveret.model;

import java.nio.charset.StandardCharsets;

/** The rules that names share. AMQP 0-9-1 carries names as short strings: at most 255 bytes of UTF-8. */
final class Names {
    static final int SHORT_STRING_BYTES_MAX = 255;

    private Names() {}

    static void check(String what, String value, boolean mayBeEmpty) {
        if (value.isEmpty() && !mayBeEmpty) {
            throw new IllegalArgumentException(what + " must not be empty");
        }
        if (value.length() > SHORT_STRING_BYTES_MAX
                || value.getBytes(StandardCharsets.UTF_8).length > SHORT_STRING_BYTES_MAX) {
            throw new IllegalArgumentException(what + " is longer than " + SHORT_STRING_BYTES_MAX + " bytes");
        }
    }
}
