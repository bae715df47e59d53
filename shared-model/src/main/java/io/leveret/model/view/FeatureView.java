package io.leveret.model.view;

import com.fasterxml.jackson.annotation.JsonProperty;

/** A feature flag. */
public record FeatureView(
        String name,
        String desc,
        @JsonProperty("doc_url") String documentation,
        String state,
        String stability,
        @JsonProperty("provided_by") String providedBy) {}
