package io.leveret.admin.cluster;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A path of the control API. Each segment is encoded once, so that a name with a slash stays one segment. */
public record ControlPath(List<String> segments, String query) {
    public ControlPath {
        segments = List.copyOf(segments);
    }

    public static ControlPath of(String... segments) {
        return new ControlPath(List.of(segments), "");
    }

    /** The same path with more segments at its end. */
    public ControlPath plus(String... more) {
        List<String> all = new ArrayList<>(segments);
        all.addAll(List.of(more));
        return new ControlPath(all, query);
    }

    /** The same path with a parameter more. */
    public ControlPath with(String parameter, String value) {
        String pair = encoded(parameter) + "=" + encoded(value);
        return new ControlPath(segments, query.isEmpty() ? pair : query + "&" + pair);
    }

    /** The same path for what is declared alone: the nodes need not be asked what they count. */
    public ControlPath withoutStatistics() {
        return with("disable_stats", "true");
    }

    /** The request target: path and query as they stand in the request line. */
    public String target() {
        StringBuilder target = new StringBuilder("/control");
        for (String segment : segments) {
            target.append('/').append(encodedSegment(segment));
        }
        return query.isEmpty()
                ? target.toString()
                : target.append('?').append(query).toString();
    }

    /** A name that is "." or ".." would be taken for a step in the path: its dots are encoded as well. */
    private static String encodedSegment(String segment) {
        if (segment.equals(".") || segment.equals("..")) {
            return segment.replace(".", "%2E");
        }
        return encoded(segment);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public String toString() {
        return target();
    }
}
