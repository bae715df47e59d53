package io.leveret.model.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * The body of {@code POST /queues/…/get}.
 *
 * @param ackMode {@code ack_requeue_true}, {@code ack_requeue_false}, {@code reject_requeue_true} or
 *     {@code reject_requeue_false}
 * @param encoding {@code auto} or {@code base64}
 * @param truncate bytes of each payload to give at most; absent for all
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record FetchRequest(
        int count,
        @JsonProperty("ackmode") String ackMode,
        String encoding,
        @Nullable Integer truncate) {}
