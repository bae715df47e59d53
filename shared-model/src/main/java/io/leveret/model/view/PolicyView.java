package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;

/** A policy, or an operator policy. */
public record PolicyView(
        String vhost,
        String name,
        String pattern,
        @JsonProperty("apply-to") String applyTo,
        Map<String, Object> definition,
        int priority)
        implements Named {}
