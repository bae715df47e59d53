package io.leveret.node.broker.message;

/**
 * Who published a message, so that a second copy of the same publish is recognised.
 *
 * @param node the number that metadata gave to the node of the client's connection
 * @param boot that node's boot
 * @param channel a number for the channel, never used twice within a boot
 * @param number 1, 2, 3 … within the channel
 */
public record Origin(int node, long boot, long channel, long number) {}
