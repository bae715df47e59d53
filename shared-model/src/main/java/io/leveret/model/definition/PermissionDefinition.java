package io.leveret.model.definition;

import io.leveret.model.UserName;
import io.leveret.model.VhostName;

/** What a user may do in a vhost, as three regular expressions over resource names; an empty one matches only "". */
public record PermissionDefinition(UserName user, VhostName vhost, String configure, String write, String read) {}
