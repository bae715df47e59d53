package io.leveret.node.control;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request.
 *
 * @param body written as JSON; null for none
 */
record Answer(int status, @Nullable Object body, Map<String, String> headers) {
    private static final Answer CREATED = new Answer(201, null, Map.of());
    private static final Answer DONE = new Answer(204, null, Map.of());

    static Answer of(Object body) {
        return new Answer(200, body, Map.of());
    }

    static Answer created() {
        return CREATED;
    }

    /** Changed or deleted: nothing more to say. */
    static Answer done() {
        return DONE;
    }

    static Answer createdOrDone(boolean isCreated) {
        return isCreated ? CREATED : DONE;
    }
}
