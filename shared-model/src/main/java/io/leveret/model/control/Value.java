package io.leveret.model.control;

import org.jspecify.annotations.Nullable;

/** The body that sets a parameter or a limit: any JSON value. */
public record Value(@Nullable Object value) {}
