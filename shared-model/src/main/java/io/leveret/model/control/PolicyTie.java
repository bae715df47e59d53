package io.leveret.model.control;

/**
 * Two policies of equal priority that match the same queues: the name that sorts first applies.
 *
 * @param with the other policy
 * @param queues how many queues both match
 * @param applies the one that applies
 */
public record PolicyTie(String with, int priority, int queues, String applies) {}
