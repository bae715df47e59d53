package io.leveret.admin.web;

import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.BrokerUnavailableException;
import io.leveret.admin.cluster.UnknownOutcomeException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.resource.NoResourceFoundException;

/** Turns every failure below /api into a status and {@code {"error":…,"reason":…}}. Pages have their own. */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class ApiErrorHandler {
    private static final String API = "/api";

    @ExceptionHandler
    ResponseEntity<Object> refusedHere(ApiProblem problem) {
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.status(problem.status()).contentType(MediaType.APPLICATION_JSON);
        problem.headers().forEach((name, value) -> answer.header(name, value));
        return answer.body(problem.body());
    }

    @ExceptionHandler
    ResponseEntity<Object> refusedByNode(BrokerRefusedException refused, HttpServletRequest request) {
        onlyApi(request, refused);
        return ResponseEntity.status(refused.status())
                .contentType(MediaType.APPLICATION_JSON)
                .body(refused.body().isBlank() ? refused.error() : Json.parse(refused.body()));
    }

    @ExceptionHandler
    ResponseEntity<Object> unavailable(BrokerUnavailableException unavailable, HttpServletRequest request) {
        onlyApi(request, unavailable);
        return error(503, "unavailable", String.valueOf(unavailable.getMessage()));
    }

    @ExceptionHandler
    ResponseEntity<Object> unknownOutcome(UnknownOutcomeException unknown, HttpServletRequest request) {
        onlyApi(request, unknown);
        return error(504, "unknown_outcome", String.valueOf(unknown.getMessage()));
    }

    @ExceptionHandler
    ResponseEntity<Object> unknownPath(NoResourceFoundException unknown, HttpServletRequest request)
            throws NoResourceFoundException {
        if (!isApi(request)) {
            throw unknown;
        }
        return error(404, "Object Not Found", "Not Found");
    }

    @ExceptionHandler
    ResponseEntity<Object> wrongMethod(HttpRequestMethodNotSupportedException wrong, HttpServletRequest request)
            throws HttpRequestMethodNotSupportedException {
        if (!isApi(request)) {
            throw wrong;
        }
        Set<String> allowed = new LinkedHashSet<>();
        String[] supported = wrong.getSupportedMethods();
        for (String method : supported == null ? new String[0] : supported) {
            if (method.equals("GET")) {
                allowed.add("HEAD");
            }
            allowed.add(method);
        }
        allowed.add("OPTIONS");
        return ResponseEntity.status(405)
                .header(HttpHeaders.ALLOW, String.join(", ", allowed))
                .build();
    }

    @ExceptionHandler
    ResponseEntity<Object> notAcceptable(HttpMediaTypeNotAcceptableException other, HttpServletRequest request)
            throws HttpMediaTypeNotAcceptableException {
        if (!isApi(request)) {
            throw other;
        }
        return ResponseEntity.status(406).build();
    }

    private static ResponseEntity<Object> error(int status, String error, String reason) {
        return ResponseEntity.status(status)
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of("error", error, "reason", reason));
    }

    private static void onlyApi(HttpServletRequest request, RuntimeException failure) {
        if (!isApi(request)) {
            throw failure;
        }
    }

    private static boolean isApi(HttpServletRequest request) {
        String path = request.getRequestURI();
        return path.equals(API) || path.startsWith(API + "/");
    }
}
