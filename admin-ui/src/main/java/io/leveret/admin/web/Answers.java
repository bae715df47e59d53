package io.leveret.admin.web;

import io.leveret.admin.cluster.CommandAnswer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** Answers of the HTTP API to changes. */
public final class Answers {
    private Answers() {}

    /** The node's status, location and body, as they are. */
    public static ResponseEntity<Object> of(CommandAnswer answer) {
        ResponseEntity.BodyBuilder response = ResponseEntity.status(answer.status());
        String location = answer.location();
        if (location != null) {
            response.header(HttpHeaders.LOCATION, location);
        }
        return answer.body().isBlank()
                ? response.build()
                : response.contentType(MediaType.APPLICATION_JSON).body(Json.parse(answer.body()));
    }
}
