package io.leveret.model.view;

/** An object that is no more than its name, such as the cluster's. */
public record NamedView(String name) {}
