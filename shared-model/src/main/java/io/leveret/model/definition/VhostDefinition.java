package io.leveret.model.definition;

import io.leveret.model.VhostName;
import java.util.List;

/** A vhost with the text and tags its owner gave it. */
public record VhostDefinition(VhostName name, String description, List<String> tags) {}
