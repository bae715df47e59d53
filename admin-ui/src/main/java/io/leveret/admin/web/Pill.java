package io.leveret.admin.web;

/**
 * A state: sign, word, colour.
 *
 * @param kind the class of the sheet: ok, busy, warn, bad, leader; empty for a plain one
 */
public record Pill(String kind, String text, String title) {
    public static Pill of(String kind, String text) {
        return new Pill(kind, text, "");
    }
}
