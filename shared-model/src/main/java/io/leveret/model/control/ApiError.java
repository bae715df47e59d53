package io.leveret.model.control;

/** The body of a refused request. {@code error} is the short class ("bad_request"), {@code reason} the sentence. */
public record ApiError(String error, String reason) {}
