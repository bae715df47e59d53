package io.leveret.model;

import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Amounts of bytes as people write them: {@code 50MB}, {@code 2GiB}, {@code 1024}. */
public final class ByteSize {
    private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,18})\\s*([a-zA-Z]*)");
    private static final Map<String, Long> UNITS = Map.ofEntries(
            Map.entry("", 1L),
            Map.entry("b", 1L),
            Map.entry("k", 1L << 10),
            Map.entry("kib", 1L << 10),
            Map.entry("kb", 1_000L),
            Map.entry("m", 1L << 20),
            Map.entry("mib", 1L << 20),
            Map.entry("mb", 1_000_000L),
            Map.entry("g", 1L << 30),
            Map.entry("gib", 1L << 30),
            Map.entry("gb", 1_000_000_000L));

    private ByteSize() {}

    /** The bytes; nothing when this is no amount, or more than there can be. Units are in any case. */
    public static OptionalLong parse(String text) {
        Matcher amount = AMOUNT.matcher(text);
        Long unit = amount.matches() ? UNITS.get(amount.group(2).toLowerCase(Locale.ROOT)) : null;
        if (unit == null) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Math.multiplyExact(Long.parseLong(amount.group(1)), unit));
        } catch (ArithmeticException tooLarge) {
            return OptionalLong.empty();
        }
    }
}
