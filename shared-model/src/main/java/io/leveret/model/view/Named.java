package io.leveret.model.view;

/** A view with a name, by which lists are filtered. */
public interface Named {
    String name();
}
