package io.leveret.node.control;

/** A request that is answered with an error. */
final class ControlRefusal extends RuntimeException {
    private final int status;
    private final String error;

    ControlRefusal(int status, String error, String reason) {
        super(reason, null, false, false);
        this.status = status;
        this.error = error;
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
}
