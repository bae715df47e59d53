package io.leveret.admin.web;

import io.leveret.admin.cluster.BrokerRefusedException;
import io.leveret.admin.cluster.BrokerUnavailableException;
import io.leveret.admin.cluster.UnknownOutcomeException;
import java.util.Map;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Turns every failure of the HTTP API into a status and {@code {"error":…,"reason":…}}. Pages have their own. */
@RestControllerAdvice(annotations = Api.class)
@Order(Ordered.HIGHEST_PRECEDENCE)
class ApiErrorHandler {
    @ExceptionHandler
    ResponseEntity<Object> refusedHere(ApiProblem problem) {
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.status(problem.status()).contentType(MediaType.APPLICATION_JSON);
        problem.headers().forEach((name, value) -> answer.header(name, value));
        return answer.body(problem.body());
    }

    @ExceptionHandler
    ResponseEntity<Object> refusedByNode(BrokerRefusedException refused) {
        return ResponseEntity.status(refused.status())
                .contentType(MediaType.APPLICATION_JSON)
                .body(refused.body().isBlank() ? refused.error() : Json.parse(refused.body()));
    }

    @ExceptionHandler
    ResponseEntity<Object> unavailable(BrokerUnavailableException unavailable) {
        return error(503, "unavailable", String.valueOf(unavailable.getMessage()));
    }

    @ExceptionHandler
    ResponseEntity<Object> unknownOutcome(UnknownOutcomeException unknown) {
        return error(504, "unknown_outcome", String.valueOf(unknown.getMessage()));
    }

    private static ResponseEntity<Object> error(int status, String error, String reason) {
        return ResponseEntity.status(status)
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of("error", error, "reason", reason));
    }
}
