package io.leveret.model.control;

/** The body of {@code PUT /permissions/…}. */
public record PermissionDeclaration(String configure, String write, String read) {}
