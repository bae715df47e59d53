package io.leveret.model.definition;

import io.leveret.model.VhostName;
import java.util.Map;

/** A policy, or an operator policy, of one vhost. {@code definition} holds JSON values: String, Long, Boolean, List. */
public record PolicyDefinition(
        VhostName vhost, String name, String pattern, ApplyTo applyTo, int priority, Map<String, Object> definition) {}
