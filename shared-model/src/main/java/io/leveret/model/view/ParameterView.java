package io.leveret.model.view;

/** A parameter of a vhost, such as a shovel's definition. */
public record ParameterView(Object value, String vhost, String component, String name) implements Named {}
