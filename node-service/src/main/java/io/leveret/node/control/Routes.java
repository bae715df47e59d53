package io.leveret.node.control;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which handler answers which method and path. Built once, read by any thread. */
final class Routes {
    /** The place of a name in a path. */
    private static final String VARIABLE = "{}";

    private final List<Route> all = new ArrayList<>();

    /** Answers a request; may wait, but not on an event loop. */
    @FunctionalInterface
    interface Handler {
        Answer handle(ControlRequest request);
    }

    /** What was found for a path. */
    record Match(Handler handler, List<String> parts) {}

    /** A row of the table. */
    private record Route(String method, List<String> pattern, Handler handler) {
        @Nullable
        List<String> parts(List<String> path) {
            if (path.size() != pattern.size()) {
                return null;
            }
            List<String> parts = new ArrayList<>();
            for (int i = 0; i < path.size(); i++) {
                if (pattern.get(i).equals(VARIABLE)) {
                    parts.add(path.get(i));
                } else if (!pattern.get(i).equals(path.get(i))) {
                    return null;
                }
            }
            return parts;
        }
    }

    /** @param path such as {@code queues/{}/{}}; of two that fit, the one that was added first counts */
    Routes add(String method, String path, Handler handler) {
        all.add(new Route(method, List.of(path.split("/")), handler));
        return this;
    }

    /**
     * @param path decoded segments
     * @throws ControlRefusal when nothing is there, or not for this method
     */
    Match find(String method, List<String> path) {
        boolean isThere = false;
        for (Route route : all) {
            List<String> parts = route.parts(path);
            if (parts != null && route.method().equals(method)) {
                return new Match(route.handler(), parts);
            }
            isThere |= parts != null;
        }
        throw isThere ? new ControlRefusal(405, "method_not_allowed", "Method Not Allowed") : ControlRefusal.notFound();
    }
}
