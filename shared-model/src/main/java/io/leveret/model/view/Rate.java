package io.leveret.model.view;

/** The {@code …_details} object beside a counter: how fast it changes, per second. */
public record Rate(double rate) {
    /** Nothing moves. */
    public static final Rate ZERO = new Rate(0.0);
}
