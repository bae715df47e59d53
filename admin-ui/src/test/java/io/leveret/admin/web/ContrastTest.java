package io.leveret.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every pair of colours that the sheet puts on each other can be read, in the light and the dark scheme. */
class ContrastTest {
    private static final Pattern TOKEN = Pattern.compile("--([a-z-]+):\\s*#([0-9a-f]{6})\\s*;");
    private static List<Map<String, String>> schemes;

    @BeforeAll
    static void read() throws IOException {
        String sheet;
        try (InputStream stream = ContrastTest.class.getResourceAsStream("/static/leveret.css")) {
            sheet = new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
        }
        int dark = sheet.indexOf("prefers-color-scheme: dark");
        int end = sheet.indexOf("/* Base */");
        Map<String, String> light = tokens(sheet.substring(0, dark), Map.of());
        schemes = List.of(light, tokens(sheet.substring(dark, end), light));
    }

    @ParameterizedTest
    @CsvSource({
        "ink,bg,4.5",
        "ink,surface,4.5",
        "ink,sunken,4.5",
        "ink,idle-soft,4.5",
        "muted,bg,4.5",
        "muted,surface,4.5",
        "muted,sunken,4.5",
        "accent,bg,4.5",
        "accent,surface,4.5",
        "accent-ink,accent,4.5",
        "ink,accent-soft,4.5",
        "ok,ok-soft,4.5",
        "busy,busy-soft,4.5",
        "warn,warn-soft,4.5",
        "bad,bad-soft,4.5",
        "bad,surface,4.5",
        "ink,warn-soft,4.5",
        "ink,bad-soft,4.5",
        "ink,ok-soft,4.5",
        "leader-ink,leader,4.5",
        "control,surface,3",
        "control,bg,3"
    })
    void canBeRead(String text, String ground, double atLeast) {
        for (Map<String, String> scheme : schemes) {
            assertThat(contrast(scheme.get(text), scheme.get(ground)))
                    .as("%s on %s, %s", text, ground, scheme == schemes.get(0) ? "light" : "dark")
                    .isGreaterThanOrEqualTo(atLeast);
        }
    }

    private static Map<String, String> tokens(String part, Map<String, String> otherwise) {
        Map<String, String> tokens = new HashMap<>(otherwise);
        Matcher matcher = TOKEN.matcher(part);
        while (matcher.find()) {
            tokens.put(matcher.group(1), matcher.group(2));
        }
        return tokens;
    }

    private static double contrast(String one, String other) {
        double a = luminance(one);
        double b = luminance(other);
        return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }

    private static double luminance(String hex) {
        return 0.2126 * linear(hex, 0) + 0.7152 * linear(hex, 2) + 0.0722 * linear(hex, 4);
    }

    private static double linear(String hex, int at) {
        double value = Integer.parseInt(hex.substring(at, at + 2), 16) / 255.0;
        return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    }
}
