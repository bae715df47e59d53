package io.leveret.admin.web;

import io.leveret.model.definition.BoundedPattern;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list: filtered, sorted and cut in the server, with the links that change one of these. All of it stands in the
 * address.
 *
 * @param rows those of this page
 * @param total all that were there before the filter
 * @param matching those that passed it
 * @param error what is wrong with the filter; empty when nothing is
 */
public record TableList<T>(
        List<T> rows,
        int total,
        int matching,
        int page,
        int pageSize,
        String error,
        Map<String, String> parameters,
        String defaultSort) {

    static final int PAGE_SIZE = 100;
    static final int PAGE_SIZE_MAX = 500;
    private static final int NEAR = 3;

    /** How to sort by each column, and how to filter. */
    public record Columns<T>(Map<String, Comparator<T>> sorts, String defaultSort, Filter<T> filter) {}

    /** Whether a row passes the text test of the name filter, and the other parameters. */
    public interface Filter<T> {
        boolean passes(T row, Predicate<String> text, Map<String, String> parameters);
    }

    /** The page that the request's parameters ask for. Those of a form that is being sent belong to the form. */
    public static <T> TableList<T> of(List<T> all, Columns<T> columns, HttpServletRequest request) {
        Map<String, String> parameters = new LinkedHashMap<>();
        Map<String, String[]> given = request.getMethod().equals("GET") ? request.getParameterMap() : Map.of();
        given.forEach((name, values) -> {
            if (!name.equals("frame") && !name.equals("vhost") && !name.equals("every") && values.length > 0) {
                parameters.put(name, values[0]);
            }
        });
        String error = "";
        Predicate<String> text = candidate -> true;
        try {
            text = textFilter(parameters.getOrDefault("name", ""), parameters.containsKey("use_regex"));
        } catch (PatternSyntaxException bad) {
            error = bad.getDescription() + ", at character " + (bad.getIndex() + 1);
        } catch (IllegalArgumentException bad) {
            error = String.valueOf(bad.getMessage());
        }
        Predicate<String> wanted = text;
        List<T> matching = all.stream()
                .filter(row -> columns.filter().passes(row, wanted, parameters))
                .collect(Collectors.toCollection(ArrayList::new));
        String sort = parameters.getOrDefault("sort", columns.defaultSort());
        Comparator<T> order = columns.sorts().get(sort);
        if (order != null) {
            matching.sort("desc".equals(parameters.get("dir")) ? order.reversed() : order);
        }
        int pageSize = Math.min(PAGE_SIZE_MAX, Math.max(1, number(parameters.get("page_size"), PAGE_SIZE)));
        int pages = Math.max(1, (matching.size() + pageSize - 1) / pageSize);
        int page = Math.min(pages, Math.max(1, number(parameters.get("page"), 1)));
        int from = (page - 1) * pageSize;
        return new TableList<>(
                List.copyOf(matching.subList(from, Math.min(matching.size(), from + pageSize))),
                all.size(),
                matching.size(),
                page,
                pageSize,
                error,
                parameters,
                columns.defaultSort());
    }

    public int pages() {
        return Math.max(1, (matching + pageSize - 1) / pageSize);
    }

    /** {@code 48 queues, 1–12 shown} */
    public String range(String one) {
        int from = (page - 1) * pageSize;
        String shown = rows.isEmpty() || pages() == 1 ? "" : ", " + (from + 1) + "–" + (from + rows.size()) + " shown";
        return matching == total
                ? Words.count(total, one) + shown
                : Words.number(matching) + " of " + Words.count(total, one) + shown;
    }

    public List<Integer> nearPages() {
        List<Integer> near = new ArrayList<>();
        for (int i = Math.max(1, page - NEAR); i <= Math.min(pages(), page + NEAR); i++) {
            near.add(i);
        }
        return near;
    }

    public String pageLink(int number) {
        return link(Map.of("page", Integer.toString(number)));
    }

    /** Sorts by the column; by the present one the other way round. */
    public String sortLink(String column) {
        boolean isPresent = column.equals(sortColumn());
        return link(Map.of("sort", column, "dir", isPresent && !isDescending() ? "desc" : "asc", "page", "1"));
    }

    /** The value of {@code aria-sort} for a column's heading; null when the list is not sorted by it. */
    public @Nullable String ariaSort(String column) {
        if (!column.equals(sortColumn())) {
            return null;
        }
        return isDescending() ? "descending" : "ascending";
    }

    public String parameter(String name) {
        return parameters.getOrDefault(name, "");
    }

    private String sortColumn() {
        return parameters.getOrDefault("sort", defaultSort);
    }

    private boolean isDescending() {
        return "desc".equals(parameters.get("dir"));
    }

    private String link(Map<String, String> changed) {
        Map<String, String> all = new LinkedHashMap<>(parameters);
        all.putAll(changed);
        return all.entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty())
                .map(entry -> Paths.encoded(entry.getKey()) + "=" + Paths.encoded(entry.getValue()))
                .collect(Collectors.joining("&", "?", ""));
    }

    private static Predicate<String> textFilter(String wanted, boolean isRegex) {
        if (wanted.isEmpty()) {
            return candidate -> true;
        }
        if (isRegex) {
            return BoundedPattern.compile(wanted)::isIn;
        }
        return candidate -> candidate.contains(wanted);
    }

    private static int number(@Nullable String text, int otherwise) {
        return text != null && text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : otherwise;
    }
}
