package io.leveret.node.broker.auth;

import io.leveret.model.UserName;
import java.util.Set;

/** A user who has proved who they are. */
public record Login(UserName user, Set<String> tags) {}
