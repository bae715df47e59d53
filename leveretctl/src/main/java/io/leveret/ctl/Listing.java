package io.leveret.ctl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Rows under named columns, printed the way that was asked for. Two kinds differ only when they are empty: a stream prints
 * nothing, a list an empty line.
 */
final class Listing {
    static final Set<String> FORMATTERS = Set.of("table", "json", "csv", "pretty_table");

    private static final String TO_LINES = "\u001b(0";
    private static final String TO_LETTERS = "\u001b(B";

    private final Call call;
    private final List<String> columns;
    private final List<List<JsonNode>> rows = new ArrayList<>();
    private boolean isHeaderWanted = true;

    Listing(Call call, List<String> columns) {
        this.call = call;
        this.columns = columns;
    }

    /** Columns as asked for, separate or with commas; refuses unknown ones. */
    static List<String> columns(Call call, List<String> byDefault, Set<String> known) {
        List<String> asked = call.arguments().stream()
                .flatMap(argument -> List.of(argument.split("[,\\s]+")).stream())
                .filter(column -> !column.isEmpty())
                .distinct()
                .toList();
        List<String> unknown = asked.stream()
                .filter(column -> !known.contains(column))
                .sorted()
                .toList();
        if (!unknown.isEmpty()) {
            throw new UsageFailure(
                    "Error (argument validation): Info key(s) " + String.join(",", unknown) + " are not supported");
        }
        return asked.isEmpty() ? byDefault : asked;
    }

    /** Adds a row from its values by column. */
    void add(Map<String, JsonNode> values) {
        rows.add(columns.stream().map(values::get).toList());
    }

    void printStream() {
        print(false);
    }

    void printList() {
        print(true);
    }

    /** As a list whose columns nobody names. */
    void printWithoutHeader() {
        isHeaderWanted = false;
        print(true);
    }

    private void print(boolean isList) {
        switch (call.formatter()) {
            case "json" -> printJson(isList);
            case "csv" -> printCsv();
            case "pretty_table" -> printPretty();
            default -> printTable(isList);
        }
    }

    private boolean hasHeader() {
        return isHeaderWanted && !call.has("no-table-headers") && !call.has("silent");
    }

    private void printTable(boolean isList) {
        if (rows.isEmpty()) {
            if (isList) {
                call.print("");
            }
            return;
        }
        if (hasHeader()) {
            call.print(String.join("\t", columns));
        }
        rows.forEach(row -> call.print(row.stream().map(Texts::plain).collect(Collectors.joining("\t"))));
    }

    private void printCsv() {
        if (rows.isEmpty()) {
            return;
        }
        if (hasHeader()) {
            call.print(columns.stream().map(Listing::quoted).collect(Collectors.joining(",")));
        }
        rows.forEach(row ->
                call.print(row.stream().map(value -> quoted(Texts.plain(value))).collect(Collectors.joining(","))));
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\"", "\"\"") + "\"";
    }

    private void printJson(boolean isList) {
        if (rows.isEmpty() && isList) {
            call.print("[]");
            return;
        }
        call.print("[");
        String separator = "";
        for (List<JsonNode> row : rows) {
            List<String> members = new ArrayList<>();
            for (int i = 0; i < columns.size(); i++) {
                members.add(ControlClient.JSON.writeValueAsString(columns.get(i)) + ":" + Texts.json(row.get(i)));
            }
            call.print(separator + "{" + String.join(",", members) + "}");
            separator = ",";
        }
        call.print("]");
    }

    /** A table in the line-drawing letters of terminals. */
    private void printPretty() {
        if (rows.isEmpty()) {
            return;
        }
        List<List<String>> cells = rows.stream()
                .map(row -> row.stream().map(Listing::cell).toList())
                .toList();
        int[] widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] = Math.max(
                    columns.get(i).length(),
                    cells.stream()
                            .mapToInt(row -> row.get(column).length())
                            .max()
                            .orElse(0));
        }
        call.print(rule(widths, "l", "w", "k"));
        StringBuilder header = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            header.append(bar()).append(" \u001b[1m").append(columns.get(i)).append("\u001b[0m");
            header.append(" ".repeat(widths[i] - columns.get(i).length() + 1));
        }
        call.print(header + bar());
        for (List<String> row : cells) {
            call.print(rule(widths, "t", "n", "u"));
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(bar()).append(' ').append(row.get(i));
                line.append(" ".repeat(widths[i] - row.get(i).length() + 1));
            }
            call.print(line + bar());
        }
        call.print(rule(widths, "m", "v", "j"));
    }

    /** Lists stand without brackets. */
    private static String cell(JsonNode value) {
        return value != null && value.isArray()
                ? value.values().stream().map(Texts::plain).collect(Collectors.joining(", "))
                : Texts.plain(value);
    }

    private static String bar() {
        return TO_LINES + "x" + TO_LETTERS;
    }

    private static String rule(int[] widths, String left, String cross, String right) {
        StringBuilder line = new StringBuilder(TO_LINES).append(left);
        for (int i = 0; i < widths.length; i++) {
            line.append("q".repeat(widths[i] + 2)).append(i < widths.length - 1 ? cross : right);
        }
        return line.append(TO_LETTERS).toString();
    }
}
