package io.leveret.node.broker.definitions;

import io.leveret.model.NodeName;

/**
 * The connection that an exclusive queue belongs to.
 *
 * @param boot the boot of the connection's node
 * @param connection a number never used twice within that boot
 */
public record QueueOwner(NodeName node, long boot, long connection) {}
