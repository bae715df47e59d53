package io.leveret.node.control;

import io.leveret.model.UserName;
import io.leveret.model.control.ApiError;
import io.leveret.model.control.ControlSignature;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control API: {@code docs/control-api.md}. It reads the request line as it was sent, since the signature covers it and names
 * may hold any letter. Answers on the threads of the HTTP server, which may wait.
 */
final class ControlServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(ControlServlet.class);
    /** Definitions of a large cluster are a few megabytes. */
    private static final int BODY_BYTES_MAX = 64 << 20;

    private final transient RequestGuard guard;
    private final transient Routes routes;

    ControlServlet(RequestGuard guard, Routes routes) {
        this.guard = guard;
        this.routes = routes;
    }

    @Override
    @SuppressWarnings("IllegalCatch") // an executor edge: a fault of ours answers 500 and harms no other request
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Answer answer;
        try {
            answer = answer(request);
        } catch (ControlRefusal e) {
            answer = new Answer(e.status(), e.body(), Map.of());
        } catch (RuntimeException e) {
            LOG.error("cannot answer {} {}", request.getMethod(), request.getRequestURI(), e);
            answer = new Answer(500, new ApiError("internal_error", e.toString()), Map.of());
        }
        write(answer, response);
    }

    private Answer answer(HttpServletRequest request) throws IOException {
        byte[] body = request.getInputStream().readNBytes(BODY_BYTES_MAX + 1);
        if (body.length > BODY_BYTES_MAX) {
            throw new ControlRefusal(413, "too_large", "the body has more than " + BODY_BYTES_MAX + " bytes");
        }
        String query = request.getQueryString();
        String target = request.getRequestURI() + (query == null ? "" : "?" + query);
        String user = header(request, ControlSignature.USER_HEADER);
        guard.check(
                new ControlSignature.Request(
                        request.getMethod(),
                        target,
                        user,
                        header(request, ControlSignature.TIME_HEADER),
                        header(request, ControlSignature.NONCE_HEADER)),
                body,
                header(request, ControlSignature.SIGNATURE_HEADER));
        List<String> path = segments(request.getRequestURI());
        Routes.Match match = routes.find(request.getMethod(), path);
        ControlRequest signed = new ControlRequest(
                request.getMethod(), match.parts(), query(query), headers(request), body, user(user));
        return match.handler().handle(signed);
    }

    private static String header(HttpServletRequest request, String name) {
        String value = request.getHeader(name);
        return value == null ? "" : value;
    }

    private static Map<String, String> headers(HttpServletRequest request) {
        String reason = request.getHeader("X-Reason");
        return reason == null ? Map.of() : Map.of("x-reason", reason);
    }

    private static @Nullable UserName user(String header) {
        return header.isEmpty() ? null : new UserName(decoded(header));
    }

    /** The segments after {@code /control}, decoded once. */
    private static List<String> segments(String uri) {
        List<String> segments = new ArrayList<>();
        String[] raw = uri.split("/", -1);
        for (int i = 2; i < raw.length; i++) {
            segments.add(decoded(raw[i]));
        }
        return segments;
    }

    private static Map<String, String> query(@Nullable String query) {
        Map<String, String> values = new LinkedHashMap<>();
        if (query != null) {
            for (String pair : query.split("&")) {
                int equals = pair.indexOf('=');
                String name = equals < 0 ? pair : pair.substring(0, equals);
                values.put(
                        decoded(name).toLowerCase(Locale.ROOT), equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        return values;
    }

    private static String decoded(String text) {
        try {
            // A plus is a plus in a path.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw ControlRefusal.badRequest("a percent sign in the path or query is not followed by two digits");
        }
    }

    private static void write(Answer answer, HttpServletResponse response) throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        if (answer.body() != null) {
            byte[] bytes = Json.bytes(answer.body());
            response.setContentType("application/json");
            response.setContentLength(bytes.length);
            response.getOutputStream().write(bytes);
        }
    }
}
