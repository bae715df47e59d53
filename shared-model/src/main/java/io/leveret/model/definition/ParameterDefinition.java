package io.leveret.model.definition;

import io.leveret.model.VhostName;

/** A runtime parameter of a vhost, such as a shovel or the vhost's limits. {@code value} is a JSON value. */
public record ParameterDefinition(VhostName vhost, String component, String name, Object value) {}
