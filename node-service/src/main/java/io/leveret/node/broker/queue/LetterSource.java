package io.leveret.node.broker.queue;

/**
 * Whose dead letters a publisher brings. Of two leaders of one source, only the one with the higher epoch is listened to.
 *
 * @param incarnation of the source queue
 * @param epoch of its leader, which sends the letters
 */
public record LetterSource(long incarnation, long epoch) {}
