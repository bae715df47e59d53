package io.leveret.node.broker.queue;

/** What queue.declare-ok and basic.get-ok tell. */
public record QueueCounts(long ready, long unacked, int consumers) {}
