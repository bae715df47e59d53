package io.leveret.model.view;

/** A parameter of the whole cluster. */
public record GlobalParameterView(String name, Object value) implements Named {}
