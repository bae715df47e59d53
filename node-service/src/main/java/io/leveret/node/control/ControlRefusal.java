package io.leveret.node.control;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A request that is answered with an error. */
final class ControlRefusal extends RuntimeException {
    private final int status;
    private final String error;
    private final transient Object reason;

    ControlRefusal(int status, String error, String reason) {
        this(status, error, (Object) reason);
    }

    private ControlRefusal(int status, String error, Object reason) {
        super(reason.toString(), null, false, false);
        this.status = status;
        this.error = error;
        this.reason = reason;
    }

    /** A reason that clients know as a list of words. */
    static ControlRefusal badRequest(List<String> words) {
        return new ControlRefusal(400, "bad_request", words);
    }

    static ControlRefusal badRequest(String reason) {
        return new ControlRefusal(400, "bad_request", reason);
    }

    /** The thing that the path names does not exist. */
    static ControlRefusal notFound() {
        return new ControlRefusal(404, "Object Not Found", "Not Found");
    }

    static ControlRefusal noVhost() {
        return new ControlRefusal(404, "not_found", "vhost_not_found");
    }

    static ControlRefusal accessRefused() {
        return new ControlRefusal(401, "not_authorised", "Access refused.");
    }

    /** Nothing was done: the client may ask another node. */
    static ControlRefusal unavailable(String reason) {
        return new ControlRefusal(503, "unavailable", reason);
    }

    /** It was begun, and its outcome is not known. */
    static ControlRefusal unknownOutcome(String reason) {
        return new ControlRefusal(504, "unknown_outcome", reason);
    }

    int status() {
        return status;
    }

    String error() {
        return error;
    }

    String reason() {
        return String.valueOf(getMessage());
    }

    /** The body of the answer: {@code reason} is a sentence, or a list where clients know one. */
    Map<String, Object> body() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error", error);
        body.put("reason", reason);
        return body;
    }
}
