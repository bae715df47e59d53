package io.leveret.admin.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
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

/** Requests below /api that no handler takes: 404, 405, 406. For a page the usual answer is left to the server. */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class UnmatchedPaths {
    private static final String API = "/api";
    /** In the order in which they are told. */
    private static final List<String> METHODS = List.of("HEAD", "GET", "POST", "PUT", "DELETE", "OPTIONS");

    @ExceptionHandler
    ResponseEntity<Object> unknownPath(NoResourceFoundException unknown, HttpServletRequest request)
            throws NoResourceFoundException {
        if (!isApi(request)) {
            throw unknown;
        }
        return ResponseEntity.status(404)
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of("error", "Object Not Found", "reason", "Not Found"));
    }

    @ExceptionHandler
    ResponseEntity<Object> wrongMethod(HttpRequestMethodNotSupportedException wrong, HttpServletRequest request)
            throws HttpRequestMethodNotSupportedException {
        if (!isApi(request)) {
            throw wrong;
        }
        String[] supported = wrong.getSupportedMethods();
        List<String> known = supported == null ? List.of() : List.of(supported);
        List<String> allowed = METHODS.stream()
                .filter(method -> method.equals("OPTIONS")
                        || known.contains(method)
                        || (method.equals("HEAD") && known.contains("GET")))
                .toList();
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

    private static boolean isApi(HttpServletRequest request) {
        String path = request.getRequestURI();
        return path.equals(API) || path.startsWith(API + "/");
    }
}
