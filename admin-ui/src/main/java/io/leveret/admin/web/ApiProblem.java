package io.leveret.admin.web;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A request of the HTTP API that is refused here, before any node is asked. */
public final class ApiProblem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final String error;
    private final transient Object reason;
    private final transient Map<String, String> headers = new LinkedHashMap<>();

    /** {@code reason} is a sentence, or a list of words where clients know one. */
    public ApiProblem(int status, String error, Object reason) {
        super(reason.toString());
        this.status = status;
        this.error = error;
        this.reason = reason;
    }

    public static ApiProblem badRequest(Object reason) {
        return new ApiProblem(400, "bad_request", reason);
    }

    public static ApiProblem notFound() {
        return new ApiProblem(404, "Object Not Found", "Not Found");
    }

    /** What is there, or a 404. */
    public static <T> T found(Optional<T> object) {
        return object.orElseThrow(ApiProblem::notFound);
    }

    /** The same with a header in the answer. */
    public ApiProblem header(String name, String value) {
        headers.put(name, value);
        return this;
    }

    int status() {
        return status;
    }

    Map<String, String> headers() {
        return headers;
    }

    Map<String, Object> body() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error", error);
        body.put("reason", reason);
        return body;
    }
}
