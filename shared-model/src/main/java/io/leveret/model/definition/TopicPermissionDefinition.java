package io.leveret.model.definition;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;

/** What a user may do on a topic exchange, as two regular expressions over routing keys. */
public record TopicPermissionDefinition(UserName user, VhostName vhost, String exchange, String write, String read) {}
