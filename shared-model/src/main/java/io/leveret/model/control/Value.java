package io.leveret.model.control;

/** The body that sets a parameter or a limit: any JSON value. */
public record Value(Object value) {}
