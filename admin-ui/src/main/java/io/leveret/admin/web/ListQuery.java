package io.leveret.admin.web;

import io.leveret.model.definition.BoundedPattern;
import io.leveret.model.view.Named;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a request wants of a list: {@code sort}, {@code sort_reverse}, {@code columns}; and with {@code page} also {@code
 * page_size} (100, at most 500), {@code name} and {@code use_regex}. Without {@code page} the whole list is given.
 *
 * @param page 0 when the whole list is wanted
 */
public record ListQuery(
        int page,
        int pageSize,
        String name,
        boolean isRegex,
        @Nullable String sort,
        boolean isReverse,
        List<String> columns) {

    static final int PAGE_SIZE = 100;
    static final int PAGE_SIZE_MAX = 500;

    /** Reads the parameters of a request. */
    public static ListQuery of(HttpServletRequest request) {
        String page = request.getParameter("page");
        String size = request.getParameter("page_size");
        int pageNumber = 0;
        int pageSize = PAGE_SIZE;
        if (page != null) {
            pageNumber = number(page);
            pageSize = size == null ? PAGE_SIZE : number(size);
            if (pageNumber < 1 || pageSize < 1 || pageSize > PAGE_SIZE_MAX) {
                throw new ApiProblem(
                        400,
                        "invalid_pagination_parameters",
                        "Invalid pagination parameters: page number " + pageNumber + ", page size "
                                + (size == null ? "undefined" : size));
            }
        }
        return new ListQuery(
                pageNumber,
                pageSize,
                orEmpty(request.getParameter("name")),
                "true".equals(request.getParameter("use_regex")),
                request.getParameter("sort"),
                reverse(request.getParameter("sort_reverse")),
                columnsOf(request));
    }

    /** The same for a list that is always given whole. */
    public static ListQuery whole(HttpServletRequest request) {
        return new ListQuery(
                0,
                PAGE_SIZE,
                "",
                false,
                request.getParameter("sort"),
                reverse(request.getParameter("sort_reverse")),
                columnsOf(request));
    }

    /** The columns alone, for one object. */
    public static Object columns(HttpServletRequest request, Object view) {
        List<String> columns = columnsOf(request);
        return columns.isEmpty() ? view : picked(Json.tree(view), columns);
    }

    /**
     * The list, or the page of it, that the request wants. Only the rows that are given become trees: of a long list that is
     * a small part.
     */
    public <T> Object apply(List<T> views) {
        if (page == 0 && sort == null && columns.isEmpty() && !isReverse) {
            return views;
        }
        List<T> rows = views;
        if (page > 0 && !name.isEmpty()) {
            Predicate<String> filter = nameFilter();
            rows = views.stream().filter(view -> filter.test(nameOf(view))).toList();
        }
        if (sort != null) {
            rows = sorted(rows, List.of(sort.split("\\.")));
        }
        if (isReverse) {
            rows = new ArrayList<>(rows);
            Collections.reverse(rows);
        }
        return page == 0 ? array(rows) : paged(rows, views.size());
    }

    /** A row and the value it is sorted by. */
    private record Keyed<T>(JsonNode key, T row) {}

    private static <T> List<T> sorted(List<T> rows, List<String> path) {
        return rows.stream()
                .map(row -> new Keyed<>(at(Json.tree(row), path), row))
                .sorted((left, right) -> ORDER.compare(left.key(), right.key()))
                .map(Keyed::row)
                .toList();
    }

    private static String nameOf(Object view) {
        return view instanceof Named named
                ? named.name()
                : Json.tree(view).path("name").asString("");
    }

    private <T> Object paged(List<T> rows, int total) {
        int pages = Math.max(1, (rows.size() + pageSize - 1) / pageSize);
        if (page > pages) {
            throw new ApiProblem(
                    400,
                    "page_out_of_range",
                    "Page out of range, page: " + page + " page size: " + pageSize + ", len: " + rows.size());
        }
        int from = (page - 1) * pageSize;
        List<T> items = rows.subList(from, Math.min(rows.size(), from + pageSize));
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("filtered_count", rows.size());
        answer.put("item_count", items.size());
        answer.put("items", array(items));
        answer.put("page", page);
        answer.put("page_count", pages);
        answer.put("page_size", pageSize);
        answer.put("total_count", total);
        return answer;
    }

    private <T> ArrayNode array(List<T> rows) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode(rows.size());
        for (T row : rows) {
            JsonNode tree = Json.tree(row);
            array.add(columns.isEmpty() ? tree : picked(tree, columns));
        }
        return array;
    }

    private Predicate<String> nameFilter() {
        if (!isRegex) {
            String wanted = name.toLowerCase(Locale.ROOT);
            return candidate -> candidate.toLowerCase(Locale.ROOT).contains(wanted);
        }
        try {
            return BoundedPattern.compile("(?i)" + name)::isIn;
        } catch (IllegalArgumentException bad) {
            throw ApiProblem.badRequest("Pagination parameters are invalid");
        }
    }

    private static JsonNode picked(JsonNode row, List<String> columns) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        for (String column : columns) {
            pick(row, result, List.of(column.split("\\.")));
        }
        return result;
    }

    private static void pick(JsonNode from, ObjectNode into, List<String> path) {
        JsonNode value = from.get(path.get(0));
        if (value == null) {
            return;
        }
        if (path.size() == 1) {
            into.set(path.get(0), value);
        } else if (value.isObject()) {
            ObjectNode inner =
                    into.get(path.get(0)) instanceof ObjectNode there ? there : JsonNodeFactory.instance.objectNode();
            pick(value, inner, path.subList(1, path.size()));
            if (!inner.isEmpty()) {
                into.set(path.get(0), inner);
            }
        }
    }

    private static JsonNode at(JsonNode row, List<String> path) {
        JsonNode node = row;
        for (String step : path) {
            node = node.path(step);
        }
        return node;
    }

    /** Numbers, then words without quotes, then texts; what is missing counts as 0. */
    private static final Comparator<JsonNode> ORDER = (left, right) -> {
        int byKind = Integer.compare(kind(left), kind(right));
        if (byKind != 0) {
            return byKind;
        }
        return switch (kind(left)) {
            case 0 -> Double.compare(left.asDouble(0), right.asDouble(0));
            case 2 -> left.asString("").compareTo(right.asString(""));
            default -> left.toString().compareTo(right.toString());
        };
    };

    private static int kind(JsonNode node) {
        if (node.isNumber() || node.isMissingNode()) {
            return 0;
        }
        return node.isString() ? 2 : 1;
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException notOne) {
            throw ApiProblem.badRequest("Pagination parameters are invalid");
        }
    }

    private static boolean reverse(@Nullable String text) {
        if (text == null || text.equals("false")) {
            return false;
        }
        if (text.equals("true")) {
            return true;
        }
        throw ApiProblem.badRequest("sort_reverse is true or false");
    }

    private static List<String> columnsOf(HttpServletRequest request) {
        String columns = request.getParameter("columns");
        return columns == null || columns.isBlank() ? List.of() : List.of(columns.split(","));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
