package io.leveret.model.control;

/** The body of {@code PUT /topic-permissions/…}. */
public record TopicPermissionDeclaration(String exchange, String write, String read) {}
