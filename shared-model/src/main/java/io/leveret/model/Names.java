package io.leveret.model;

/** The rules that names share. */
final class Names {
    private Names() {}

    static void check(String what, String value, boolean mayBeEmpty) {
        if (value.isEmpty() && !mayBeEmpty) {
            throw new IllegalArgumentException(what + " must not be empty");
        }
        if (!ShortString.fits(value)) {
            throw new IllegalArgumentException(what + " is longer than " + ShortString.BYTES_MAX + " bytes");
        }
    }
}
