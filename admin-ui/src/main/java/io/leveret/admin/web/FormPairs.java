package io.leveret.admin.web;

import java.util.LinkedHashMap;
import java.util.Map;

/** Arguments and headers as forms take them: {@code key = value, key = value}. */
public final class FormPairs {
    private FormPairs() {}

    /** Whole numbers and true/false are taken as such, everything else as text. */
    public static Map<String, Object> of(String text) {
        Map<String, Object> pairs = new LinkedHashMap<>();
        for (String pair : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                pairs.put(
                        pair.substring(0, equals).strip(),
                        value(pair.substring(equals + 1).strip()));
            }
        }
        return pairs;
    }

    private static Object value(String text) {
        if (text.matches("-?[0-9]{1,18}")) {
            return Long.valueOf(text);
        }
        return text.equals("true") || text.equals("false") ? (Object) Boolean.valueOf(text) : text;
    }
}
